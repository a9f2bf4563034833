#pragma once

#include "testing/store_probe.hpp"

#include <string>

namespace sms::testing {

inline OperatorNote operator_note() { return {"operator@example", "looked it up"}; }

inline ResolveRequest resolve_request(std::string key, std::string token, std::string provider_id) {
  ResolveRequest request;
  request.key = std::move(key);
  request.token = std::move(token);
  request.provider = "twilio";
  request.provider_id = std::move(provider_id);
  request.note = operator_note();
  request.ttl = std::chrono::hours(1);
  request.now = StoreProbe::now();
  return request;
}
inline ResolveRequest resolve_request(StoreProbe& store, const std::string& key, std::string provider_id) {
  return resolve_request(key, store.token(key), std::move(provider_id));
}

/// Without a settling delay.
inline ReleaseRequest release_request(std::string key, std::string token) {
  ReleaseRequest request;
  request.key = std::move(key);
  request.token = std::move(token);
  request.note = operator_note();
  request.settle = std::chrono::milliseconds(0);
  request.now = StoreProbe::now();
  return request;
}
inline ReleaseRequest release_request(StoreProbe& store, const std::string& key) {
  return release_request(key, store.token(key));
}

/// Claims the key for a client that calls a reservation stale after a few milliseconds, and waits for that.
inline void claim_stale(StoreProbe& store, const std::string& key, const std::string& reservation_id) {
  auto request = reserve_request(key, reservation_id);
  request.stale_reservation = std::chrono::milliseconds(10);
  store.expect(store.claims(request), "a free key could not be claimed");
  StoreProbe::wait(std::chrono::milliseconds(25));
}

}  // namespace sms::testing

#pragma once

/// Everything of `sms::sdk` in one include.

#include <sms/adapter.hpp>
#include <sms/adapter_kit.hpp>
#include <sms/bulk_settle.hpp>
#include <sms/client.hpp>
#include <sms/copy_store.hpp>
#include <sms/encoding.hpp>
#include <sms/error.hpp>
#include <sms/fingerprint.hpp>
#include <sms/idempotency.hpp>
#include <sms/keywords.hpp>
#include <sms/message.hpp>
#include <sms/operator_store.hpp>
#include <sms/operator_tools.hpp>
#include <sms/phone_number.hpp>
#include <sms/providers/telnyx.hpp>
#include <sms/providers/twilio.hpp>
#include <sms/redaction.hpp>
#include <sms/result.hpp>
#include <sms/retry.hpp>
#include <sms/store_maintenance.hpp>
#include <sms/stores/memory.hpp>
#include <sms/stores/migrating.hpp>
#include <sms/stores/open.hpp>
#include <sms/stores/sqlite.hpp>
#include <sms/version.hpp>

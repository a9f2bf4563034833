import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import Telnyx from 'telnyx';
import { Simulator } from './simulator.js';

const message = { to: '+14155550123', from: '+15550100002' };
let simulator;
let client;

const clientWith = (options) => new Telnyx({ apiKey: 'key', baseURL: `${simulator.url}/v2`, maxRetries: 0, ...options });

before(async () => {
  simulator = await Simulator.start(process.env.SMS_SDK_PROGRAM);
  client = clientWith();
});
beforeEach(() => simulator.faults());
after(async () => assert.equal(await simulator.stop(), 0));

test('the official client sends one message, reads its resource and looks it up', async () => {
  const text = 'Grüße & mehr 🚀';
  const { data } = await client.messages.send({ ...message, text, webhook_url: 'https://hooks.example.com/t/order-1' });
  assert.match(data.id, /^[0-9a-f-]{36}$/);
  assert.equal(data.record_type, 'message');
  assert.equal(data.to[0].phone_number, message.to);
  assert.equal(data.to[0].status, 'queued');
  assert.equal(data.text, text);
  const { counts, messages } = await simulator.ledger(text);
  assert.deepEqual(counts, { requests: 1, messages: 1 });
  assert.equal(messages[0].id, data.id);
  assert.equal(messages[0].callback, 'https://hooks.example.com/t/order-1');
  assert.equal((await client.messages.retrieve(data.id)).data.text, text);
});

test('it sends media', async () => {
  const { data } = await client.messages.send({ ...message, text: 'Media', media_urls: ['https://a.example/1'], type: 'MMS' });
  assert.equal(data.type, 'MMS');
  assert.equal(data.media[0].url, 'https://a.example/1');
});

test('it throws the documented error for each refusal', async () => {
  const rows = [
    [{ ...message, to: '14155550123', text: 'Refused' }, '40310'],
    [{ ...message, from: 'Shop', text: 'Refused' }, '40306'],
    [{ ...message }, '40316'],
  ];
  for (const [input, code] of rows) {
    await assert.rejects(client.messages.send(input), (error) => {
      assert.ok(error instanceof Telnyx.BadRequestError);
      assert.equal(error.status, 400);
      assert.equal(error.error.errors[0].code, code);
      return true;
    });
  }
  assert.equal((await simulator.ledger('Refused')).counts.messages, 0);
});

test('it throws for a wrong key, an unknown message and a rate limit', async () => {
  await assert.rejects(clientWith({ apiKey: 'invalid' }).messages.send({ ...message, text: 'Stranger' }), Telnyx.AuthenticationError);
  await assert.rejects(client.messages.retrieve('00000000-0000-4000-8000-000000000009'), Telnyx.NotFoundError);
  await simulator.faults({ action: 'rate_limit', times: 1 });
  await assert.rejects(client.messages.send({ ...message, text: 'Limited' }), Telnyx.RateLimitError);
});

test('with its own retries it texts somebody three times, and the ledger tells', async () => {
  await simulator.faults({ action: 'create_then_status', status: 500, times: 2 });
  const { data } = await clientWith({ maxRetries: 2 }).messages.send({ ...message, text: 'Thrice' });
  assert.ok(data.id);
  assert.deepEqual((await simulator.ledger('Thrice')).counts, { requests: 3, messages: 3 });
});

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import twilio from 'twilio';
import { Simulator } from './simulator.js';

const account = 'AC00000000000000000000000000000001';
const message = { to: '+14155550123', from: '+15550100001' };
let simulator;
let client;

function clientWith(token) {
  const made = twilio(account, token);
  made.api.baseUrl = simulator.url;
  return made;
}

before(async () => {
  simulator = await Simulator.start(process.env.SMS_SDK_PROGRAM);
  client = clientWith('token');
});
beforeEach(() => simulator.faults());
after(async () => assert.equal(await simulator.stop(), 0));

test('the official client sends one message and reads its resource', async () => {
  const body = 'Grüße & mehr 🚀';
  const made = await client.messages.create({
    ...message,
    body,
    statusCallback: 'https://hooks.example.com/sms?key=order%3A1',
  });
  assert.match(made.sid, /^SM[0-9a-f]{32}$/);
  assert.equal(made.status, 'queued');
  assert.equal(made.body, body);
  assert.equal(made.to, message.to);
  assert.equal(made.accountSid, account);
  assert.equal(made.errorCode, null);
  assert.ok(Math.abs(made.dateCreated - new Date()) < 60_000);
  const { counts, messages } = await simulator.ledger(body);
  assert.deepEqual(counts, { requests: 1, messages: 1 });
  assert.equal(messages[0].id, made.sid);
  assert.equal(messages[0].callback, 'https://hooks.example.com/sms?key=order%3A1');
});

test('it sends media by a messaging service', async () => {
  const made = await client.messages.create({
    to: message.to,
    messagingServiceSid: 'MG00000000000000000000000000000003',
    body: 'With media',
    mediaUrl: ['https://a.example/1', 'https://a.example/2'],
  });
  assert.match(made.sid, /^MM[0-9a-f]{32}$/);
  assert.equal(made.status, 'accepted');
  assert.equal(made.numMedia, '2');
  assert.equal(made.from, null);
});

test('it fetches a message and lists them page by page', async () => {
  const to = '+14155550177';
  const made = [];
  for (let i = 0; i < 5; ++i) made.push(await client.messages.create({ ...message, to, body: `List ${i}` }));
  assert.equal((await client.messages(made[0].sid).fetch()).body, 'List 0');
  const listed = await client.messages.list({ to, pageSize: 2 });
  assert.deepEqual(
    listed.map(({ sid }) => sid),
    made.map(({ sid }) => sid).reverse(),
  );
  assert.equal((await client.messages.list({ to, limit: 3 })).length, 3);
  assert.deepEqual(await client.messages.list({ to, dateSentAfter: new Date(Date.now() + 86_400_000) }), []);
});

test('it throws the documented error for each refusal', async () => {
  const rows = [
    [{ ...message, to: '14155550123', body: 'Refused' }, 21211],
    [{ ...message, to: '+15005550004', body: 'Refused' }, 21610],
    [{ to: message.to, body: 'Refused' }, 21603],
    [{ ...message }, 21602],
  ];
  for (const [input, code] of rows) {
    await assert.rejects(client.messages.create(input), (error) => {
      assert.equal(error.constructor.name, 'RestException');
      assert.equal(error.status, 400);
      assert.equal(error.code, code);
      assert.equal(error.moreInfo, `https://www.twilio.com/docs/errors/${code}`);
      return true;
    });
  }
  assert.equal((await simulator.ledger('Refused')).counts.messages, 0);
});

test('it throws for wrong credentials and for an unknown message', async () => {
  await assert.rejects(clientWith('invalid').messages.create({ ...message, body: 'Stranger' }), { status: 401, code: 20003 });
  await assert.rejects(client.messages('SM00000000000000000000000000000009').fetch(), { status: 404, code: 20404 });
});

test('it meets a rate limit and a lost answer', async () => {
  await simulator.faults({ action: 'rate_limit', times: 1 });
  await assert.rejects(client.messages.create({ ...message, body: 'Limited' }), { status: 429, code: 20429 });
  await simulator.faults({ action: 'create_then_close', times: 1 });
  await assert.rejects(client.messages.create({ ...message, body: 'Lost' }), { code: 'ECONNRESET' });
  assert.deepEqual((await simulator.ledger('Lost')).counts, { requests: 1, messages: 1 });
});

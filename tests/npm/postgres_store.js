// The PostgreSQL store that the contract's document prints, without its types, driven line by line: each line of standard
// input is one call as JSON, each line of standard output its answer.
import crypto from 'node:crypto';
import readline from 'node:readline';
import pg from 'pg';

const db = new pg.Pool({ connectionString: process.argv[2], max: 4 });

function toRecord(row) {
  if (row.state === 'reserved' && row.reservation_id !== null && row.reserved_at !== null) {
    return {
      state: 'reserved',
      fingerprint: row.fingerprint,
      reservationId: row.reservation_id,
      reservedAt: Number(row.reserved_at),
    };
  }
  return row.record;
}

const store = {
  async get({ key, now }) {
    const { rows } = await db.query(
      'select * from sms_idempotency where key = $1 and (expires_at is null or expires_at > $2)',
      [key, now],
    );
    const row = rows[0];
    return row === undefined ? null : toRecord(row);
  },

  async reserve({ key, fingerprint, now }) {
    const reservationId = crypto.randomUUID();
    const claimed = await db.query(
      `insert into sms_idempotency (key, fingerprint, state, reservation_id, reserved_at, record, expires_at)
       values ($1, $2, 'reserved', $3, $4, null, null)
       on conflict (key) do update
         set fingerprint = excluded.fingerprint, state = 'reserved', reservation_id = excluded.reservation_id,
             reserved_at = excluded.reserved_at, record = null, expires_at = null
         where (sms_idempotency.expires_at is not null and sms_idempotency.expires_at <= $4)
            or (sms_idempotency.state = 'rejected' and sms_idempotency.fingerprint = excluded.fingerprint)
       returning reservation_id`,
      [key, fingerprint, reservationId, now],
    );
    if (claimed.rows[0]?.reservation_id === reservationId) return { kind: 'reserved', reservationId };
    const { rows } = await db.query('select * from sms_idempotency where key = $1', [key]);
    const record = rows[0] === undefined ? null : toRecord(rows[0]);
    if (record === null) throw new Error(`Idempotency record for ${key} disappeared during reserve.`);
    return { kind: 'existing', record };
  },

  async finalize({ key, reservationId, record, ttlSec, now }) {
    const expiresAt = record.state === 'unknown' ? null : now + ttlSec * 1000;
    const { rows } = await db.query(
      `update sms_idempotency
         set state = $3, record = $4::text::jsonb, expires_at = $5, reservation_id = null, reserved_at = null
       where key = $1 and state = 'reserved' and reservation_id = $2
       returning key`,
      [key, reservationId, record.state, JSON.stringify(record), expiresAt],
    );
    return rows.length === 1 ? { kind: 'finalized' } : { kind: 'not_owner' };
  },

  /** Claims many keys at once; answers those that it won. */
  async race({ keys, fingerprint, now }) {
    const answers = await Promise.all(keys.map((key) => store.reserve({ key, fingerprint, now })));
    return keys.filter((_, i) => answers[i].kind === 'reserved');
  },
};

for await (const line of readline.createInterface({ input: process.stdin })) {
  const call = JSON.parse(line);
  try {
    console.log(JSON.stringify(await store[call.call](call)));
  } catch (error) {
    console.log(JSON.stringify({ failed: error.message }));
  }
}
await db.end();

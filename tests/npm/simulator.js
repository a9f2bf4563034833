// Starts `sms-sdk simulate` for a test and asks its control API.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export class Simulator {
  static async start(program) {
    const child = spawn(program, ['simulate', '--port', '0', '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    return new Simulator(child, JSON.parse(line).listening);
  }

  constructor(child, url) {
    this.child = child;
    this.url = url;
  }

  async stop() {
    this.child.kill('SIGTERM');
    const [code] = await once(this.child, 'exit');
    return code;
  }

  async control(method, path, body) {
    const answer = await fetch(`${this.url}/_sim/${path}`, { method, body });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  }

  /** `{counts, requests, messages}` of one body. */
  ledger(body) {
    return this.control('GET', `ledger?body=${encodeURIComponent(body)}`);
  }

  faults(...rules) {
    return this.control('PUT', 'faults', JSON.stringify(rules));
  }
}

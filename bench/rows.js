// Appends the rows of a run to bench/results/NAME.jsonl, as bench/rows.py does.

import { appendFileSync, mkdirSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

const FOLDER = process.env.FAROL_RESULTS || fileURLToPath(new URL('results', import.meta.url));

/** @returns {string} processors, memory and kernel */
function machine() {
  const all = cpus();
  return `${all.length} × ${all[0]?.model ?? process.arch}, ${Math.round(totalmem() / 1024 ** 3)} GiB, Linux ${release()}`;
}

/**
 * Appends rows with the facts of their run.
 * @param {string} name @param {object[]} rows @param {object} [facts] the options of the run
 */
export function keep(name, rows, facts = {}) {
  mkdirSync(FOLDER, { recursive: true });
  const run = { run: new Date().toISOString(), machine: machine(), ...facts };
  appendFileSync(`${FOLDER}/${name}.jsonl`, rows.map((row) => `${JSON.stringify({ ...run, ...row })}\n`).join(''));
}

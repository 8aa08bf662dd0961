import { expect } from 'chai';
import type { Reply } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { type Client, idsOf, makeClient, SAMPLE } from './client.ts';

/** The acknowledged and pending calls of one client for the files of a user. */
export interface FileLedger {
  readonly user: string;
  /** The acknowledged records, by id. */
  readonly created: Map<string, Readonly<Record<string, unknown>>>;
  readonly deleted: Set<string>;
  /** The id of a deletion without a response. */
  deleting: string | undefined;
  /** A creation has no response yet. */
  creating: boolean;
}

export const makeFileLedger = (user: string): FileLedger => ({
  user,
  created: new Map(),
  deleted: new Set(),
  deleting: undefined,
  creating: false,
});

export const acknowledgedBy = ({ created, deleted }: FileLedger): number => created.size + deleted.size;

const pick = (ids: readonly string[]): string | undefined => ids[Math.floor(Math.random() * ids.length)];

/** Creates, reads, syncs and deletes files one by one and records the acknowledged calls, until a call fails. */
export const useFilesUntilKilled = async (url: string, ledger: FileLedger): Promise<void> => {
  const client = makeClient(url);
  const { user, created, deleted } = ledger;
  /** Returns undefined if the server has been killed. */
  const send = async (response: Promise<Reply>): Promise<Reply | undefined> => {
    const reply = await response.catch(() => undefined);
    if (reply !== undefined) expect(reply.status, JSON.stringify(reply.body)).to.equal(200);
    return reply;
  };

  const create = async () => {
    ledger.creating = true;
    const filenameEnc = `name ${created.size}`;
    const reply = await send(client.create({ user, filenameEnc, size: created.size }));
    if (reply === undefined) return false;
    ledger.creating = false;
    const { id, uploadedDate } = reply.body;
    const { thumb: web, mimeType, dekEnc } = SAMPLE;
    const thumbs = { mobile: web, web, webPre: web };
    created.set(String(id), { id, filenameEnc, size: created.size, mimeType, dekEnc, thumbs, uploadedDate });
    return true;
  };
  const remove = async (id: string) => {
    ledger.deleting = id;
    if ((await send(client.remove(id))) === undefined) return false;
    ledger.deleting = undefined;
    deleted.add(id);
    return true;
  };

  for (let call = 0; ; call += 1) {
    if (!(await create())) return;
    const id = pick([...created.keys()].filter((fileId) => !deleted.has(fileId)));
    if (id === undefined) continue;
    // Caches the file before its deletion.
    if ((await send(client.read(id))) === undefined) return;
    if (call % 5 === 0 && !(await send(client.post('/api/v1/e/meta/sync', { user, type: 'allTwo' })))) return;
    if (call % 2 === 0 && !(await remove(id))) return;
  }
};

/** Checks on a restarted server that every acknowledged call has had its effect. */
export const checkFilesAfterKill = async (client: Client, ledger: FileLedger): Promise<void> => {
  const { user, created, deleted, deleting, creating } = ledger;
  const listed = idsOf(await client.list(user));
  for (const [id, record] of created) {
    if (id === deleting) continue;
    const { status, body } = await client.read(id);
    if (deleted.has(id)) expect(status, `${id} was deleted`).to.equal(404);
    else expect(body, id).to.deep.equal(record);
    expect(listed.includes(id), `${id} in the list`).to.equal(status === 200);
  }
  if (deleting !== undefined) {
    // The deletion may be done. Then the next holder of the killed process's lease may still have to update the cache.
    const status = listed.includes(deleting) ? 200 : 404;
    await until(async () => (await client.read(deleting)).status === status);
  }
  const unknown = listed.filter((id) => !created.has(id));
  expect(unknown.length, 'files that no client created').to.be.at.most(creating ? 1 : 0);
};

import { join } from 'node:path';
import { makeMailFolder } from '../../support/mail-folder.ts';
import { type RunningServer, useServerProcesses } from '../../support/servers/server-process.ts';
import { ask } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { describeSingleUses } from './single-use.ts';

describe('In two processes on one data folder', () => {
  const processes = useServerProcesses('suite');
  const folder = useTempFolder('suite');
  let servers: readonly RunningServer[] = [];
  // Each race has a user of its own.
  before(async () => {
    const settings = {
      DATA_DIR: folder(),
      HASH_QUEUE: '100',
      LOG_LEVEL: 'warn',
    };
    servers = await Promise.all([
      processes.start('accounts', folder(), settings),
      processes.start('accounts', folder(), settings),
    ]);
  });

  let calls = 0;
  describeSingleUses(() => {
    const mails = makeMailFolder(join(folder(), 'mail'));
    return {
      post: (path, body, given = {}) => {
        calls += 1;
        return ask(servers[calls % servers.length]?.url ?? '', 'POST', path, { ...given, body });
      },
      codeFor: (email) => mails.codeFor(email),
      resetCodeFor: (email) => mails.resetCodeFor(email),
      now: Date.now,
    };
  });
});

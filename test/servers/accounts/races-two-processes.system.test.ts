import { describeSingleUses } from './single-use.ts';
import { useTwoProcesses } from './use-two-processes.ts';

describe('The account service in two processes on one data folder', () => {
  const { post, mails } = useTwoProcesses();

  describeSingleUses(() => ({
    post,
    codeFor: (email) => mails().codeFor(email),
    resetCodeFor: (email) => mails().resetCodeFor(email),
    now: Date.now,
  }));
});

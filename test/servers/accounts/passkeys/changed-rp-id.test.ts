import { expect } from 'chai';
import { openTestService, type TestService } from '../../../support/service.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { until } from '../../../support/until.ts';
import { makePasskeyCalls, PASSKEYS_ON } from './passkey-calls.ts';

describe('A start with another RP ID', () => {
  const folder = useTempFolder();
  let service: TestService;
  const { add } = makePasskeyCalls(() => service);

  afterEach(() => service.close());

  const open = async (settings: Record<string, string>) => {
    service = await openTestService(settings, folder());
  };
  const warnings = () => service.log.lines.filter(({ event }) => event === 'passkey.other_rp_id');

  it('logs a warning with the number of unusable passkeys', async () => {
    await open(PASSKEYS_ON);
    const [ada, bob] = [await service.signUp(), await service.signUp()];
    for (const user of [ada, ada, bob]) await add(user);
    expect(await service.composition.accounts.background.warnOfOtherSites()).to.equal(0);
    expect(warnings()).to.deep.equal([]);
    await service.close();

    await open({ ...PASSKEYS_ON, PASSKEY_RP_ID: 'app.example.com' });
    await until(async () => warnings().length > 0);
    expect(warnings()).to.deep.equal([
      {
        level: 'warn',
        event: 'passkey.other_rp_id',
        fields: { id: 'app.example.com', count: 3, reason: 'all' },
      },
    ]);
    await service.composition.accounts.background.warnOfOtherSites(2);
    expect(warnings()[1]?.fields).to.deep.equal({
      id: 'app.example.com',
      count: 2,
      reason: 'the first 2',
    });
  });
});

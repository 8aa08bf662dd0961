import type { ComponentChildren } from 'preact';
import { Fragment } from 'preact';
import { Card } from '../../kit/card.tsx';
import { Time } from '../../kit/time.tsx';
import { UserText } from '../../kit/user-text.tsx';
import { locale } from '../../text/language.ts';
import { Folded } from '../folded-text.tsx';
import type { Restriction, User, Why } from '../response-types.ts';
import { State } from '../state-signs.tsx';
import { c, shownNumber } from '../text.ts';
import { Named } from '../user-link.tsx';
import { operatorRole } from './operator-role.ts';

type Line = readonly [name: string, value: ComponentChildren];

/** The lines that have a value. */
const Lines = ({ lines }: { readonly lines: readonly Line[] }) => (
  <dl class="definition">
    {lines.map(([name, value]) =>
      value == null ? null : (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ),
    )}
  </dl>
);

/** A time outside of a table, where no title of a column names the zone. */
const ZonedTime = ({ at }: { readonly at: string | null }) => (
  <>
    <Time at={at} /> UTC
  </>
);

const Grant = ({ grant }: { readonly grant: NonNullable<Why['grant']> }) => {
  const { user, frame } = c();
  return (
    <>
      <b>{grant.fields.tier}</b>{' '}
      {grant.by === null ? (
        <span class="muted">{user.unknown}</span>
      ) : (
        <>
          <Named name={grant.by} emails={{ [grant.by]: grant.byEmail }} /> <ZonedTime at={grant.at} />
        </>
      )}
      {grant.reason === null ? null : (
        <>
          {' '}
          <Folded text={frame.quote(grant.reason)} />
        </>
      )}
    </>
  );
};

/** Since and until when, and why, a user is banned or disabled. The empty key of `lengths` has the text for no end. */
export const Restricted = ({ since, until, reason }: Restriction) => (
  <>
    <ZonedTime at={since} /> – {until === null ? c().actions.lengths[''] : <ZonedTime at={until} />}{' '}
    <Folded text={c().frame.quote(reason)} />
  </>
);

/** A restriction that ended. The top of the page shows a restriction in force. */
const renderEnded = (restriction: Restriction | null) =>
  restriction && !restriction.inForce ? <Restricted {...restriction} /> : null;

const shownSize = (bytes: number): string => {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
  const powerOf1000 = Math.floor(Math.log10(Math.max(1, bytes)) / 3);
  const step = Math.min(units.length - 1, powerOf1000);
  const unit = units[step] ?? 'byte';
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, maximumFractionDigits: 1 }).format(
    bytes / 1_000 ** step,
  );
};

/** The user's access with its reasons, and the account's data. */
export const Access = ({ user }: { readonly user: User }) => {
  const { user: texts, frame, kit, users } = c();
  const { why } = user;
  // There is one service, so at most one entitlement.
  const [entitlement] = user.entitlements;
  const role = operatorRole(user);
  const domain = user.customDomain;
  return (
    <Card title={texts.access(user.tier, texts.by[why.effective])}>
      <Lines
        lines={[
          [texts.grant, why.grant && <Grant grant={why.grant} />],
          [texts.billing, why.billing?.tier],
          [texts.claim, why.claim?.tier],
          [texts.files, shownNumber(user.files.count)],
          [
            texts.storage,
            entitlement?.customStorageLimit == null ? null : shownSize(entitlement.customStorageLimit),
          ],
          [texts.keys, entitlement?.customApiKeyLimit],
        ]}
      />
      <h3>{texts.account}</h3>
      <Lines
        lines={[
          [kit.name, user.displayName && <UserText text={user.displayName} />],
          [texts.role, role && frame.roles[role]],
          [users.flags.banned, renderEnded(user.banned)],
          [users.flags.disabled, renderEnded(user.disabled)],
          [kit.password, user.hasPassword ? texts.has : null],
          [texts.codes, user.twoFactorEnabled ? texts.left(user.recoveryCodesLeft) : null],
          [
            kit.domain,
            domain && (
              <>
                <UserText text={domain.domain} />{' '}
                <State sign={domain.verified ? 'good' : 'warn'}>
                  {domain.verified ? users.verified : users.flags.unverified}
                </State>
              </>
            ),
          ],
          [users.since, <Time key="created" at={user.createdAt} />],
          [texts.changed, <Time key="changed" at={user.updatedAt} />],
        ]}
      />
    </Card>
  );
};

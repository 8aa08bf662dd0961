import type { ComponentChildren } from 'preact';
import { Fragment } from 'preact';
import { Card } from '../../kit/card.tsx';
import { Time } from '../../kit/time.tsx';
import { UserText } from '../../kit/user-text.tsx';
import { locale } from '../../text/language.ts';
import { Folded } from '../folded-text.tsx';
import type { Facts, Restriction, User, Why } from '../shapes.ts';
import { c } from '../text.ts';
import { Named } from '../user-link.tsx';
import { operatorRole } from './role.ts';

type Line = readonly [name: string, value: ComponentChildren];

const Lines = ({ lines }: { readonly lines: readonly Line[] }) => (
  <dl class="definition">
    {lines.map(([name, value]) => (
      <Fragment key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </Fragment>
    ))}
  </dl>
);

const tierIn = (facts: Facts): string => (typeof facts.tier === 'string' ? facts.tier : '');

const Grant = ({ grant }: { readonly grant: NonNullable<Why['grant']> }) => {
  const { user } = c();
  return (
    <>
      <b>{tierIn(grant.fields)}</b>{' '}
      {grant.by === null ? (
        <span class="muted">{user.unknown}</span>
      ) : (
        <>
          <Named name={grant.by} /> <Time at={grant.at} />
        </>
      )}
      {grant.reason === null ? null : (
        <>
          {' '}
          <Folded text={`“${grant.reason}”`} />
        </>
      )}
    </>
  );
};

const restrictedLine = (name: string, restriction: Restriction | null): readonly Line[] =>
  restriction === null
    ? []
    : [
        [
          name,
          <>
            <Time at={restriction.since} /> –{' '}
            {restriction.until === null ? c().actions.lengths[''] : <Time at={restriction.until} />}{' '}
            <Folded text={`“${restriction.reason}”`} />
          </>,
        ],
      ];

const size = (bytes: number): string => {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const unit = units[step] ?? 'byte';
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, maximumFractionDigits: 1 }).format(
    bytes / 1024 ** step,
  );
};

/** The user's access with its reasons, and the account's data. */
export const Access = ({ user }: { readonly user: User }) => {
  const { user: texts, frame, kit, users } = c();
  const { why } = user;
  const [entitlement] = user.entitlements;
  const role = operatorRole(user);
  const { domain } = { domain: user.customDomain };
  return (
    <Card title={texts.access(user.tier, texts.by[why.effective])}>
      <Lines
        lines={[
          [texts.grant, why.grant === null ? frame.none : <Grant grant={why.grant} />],
          [texts.billing, why.billing === null ? frame.none : tierIn(why.billing)],
          [texts.claim, why.claim === null ? frame.none : tierIn(why.claim)],
          [texts.files, new Intl.NumberFormat(locale()).format(user.files.count)],
          [
            texts.storage,
            entitlement?.customStorageLimit == null ? texts.ofTier : size(entitlement.customStorageLimit),
          ],
          [texts.keys, entitlement?.customApiKeyLimit ?? texts.ofTier],
        ]}
      />
      <h3>{texts.account}</h3>
      <Lines
        lines={[
          [kit.name, user.displayName === null ? frame.none : <UserText text={user.displayName} />],
          ...(role === null ? [] : [[texts.role, frame.roles[role]] as const]),
          ...restrictedLine(users.banned, user.banned),
          ...restrictedLine(users.disabled, user.disabled),
          [kit.password, user.hasPassword ? texts.has : texts.hasNot],
          ...(user.twoFactorEnabled ? [[texts.codes, texts.left(user.recoveryCodesLeft)] as const] : []),
          ...(domain === null
            ? []
            : [
                [
                  kit.domain,
                  <>
                    <UserText text={domain.domain} /> ({domain.verified ? users.verified : users.unverified})
                  </>,
                ] as const,
              ]),
          [texts.created, <Time key="created" at={user.createdAt} />],
          [texts.changed, <Time key="changed" at={user.updatedAt} />],
        ]}
      />
    </Card>
  );
};

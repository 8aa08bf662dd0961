import { Heading } from '../base/heading.tsx';
import type { Pages } from '../base/load-area.ts';
import { path } from '../base/router.ts';
import { joinOutcomes, Load, lazyPiece } from '../kit/load.tsx';
import { ofUser, read } from './api.ts';
import { userIn } from './paths.ts';
import type { User } from './response-types.ts';
import { c, texts } from './text.ts';

const loadDetail = lazyPiece(() => import('./user/detail.tsx'), [texts.user, texts.audit, texts.logs]);

const Missing = () => (
  <>
    <Heading at="/users/{id}" />
    <p>{c().problems.codes.user_not_found}</p>
    <a href="/users">‹ {c().titles['/users']}</a>
  </>
);

const UserPage = () => {
  const userId = userIn(path.value);
  return (
    <main class="console">
      <div class="stack wide">
        <Load
          request={() => joinOutcomes(read<{ readonly user: User }>(ofUser(userId)), loadDetail())}
          heading={<Heading at="/users/{id}" />}
          // `invalid_request`: the path has something other than an id.
          instead={{ user_not_found: Missing, invalid_request: Missing }}
        >
          {({ Detail, user }) => <Detail initial={user} />}
        </Load>
      </div>
    </main>
  );
};

export const pages: Pages = { '/users/{id}': UserPage };

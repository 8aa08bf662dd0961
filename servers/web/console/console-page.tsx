import type { ComponentChildren } from 'preact';
import { Heading } from '../base/heading.tsx';
import { path } from '../base/router.ts';
import { placeOf } from './paths.ts';

interface PageProps {
  readonly children: ComponentChildren;
  readonly lead?: string | undefined;
  /** Shown beside the heading. */
  readonly aside?: ComponentChildren;
}

export const Page = ({ children, lead, aside }: PageProps) => (
  <main class="console">
    <div class="stack wide">
      <div class="row apart">
        <div>
          <Heading at={placeOf(path.value) ?? '/'} />
          {lead === undefined ? null : <p class="muted">{lead}</p>}
        </div>
        {aside}
      </div>
      {children}
    </div>
  </main>
);

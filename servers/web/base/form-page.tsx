import type { ComponentChildren } from 'preact';
import { Heading } from './heading.tsx';

interface FormPageProps {
  readonly children: ComponentChildren;
  readonly lead?: string;
  /** In place of the title of the path. */
  readonly title?: string | undefined;
}

export const FormPage = ({ children, lead, title }: FormPageProps) => (
  <main class="form">
    <div class="card">
      <div class="stack wide">
        <div>
          <Heading title={title} />
          {lead === undefined ? null : <p class="muted">{lead}</p>}
        </div>
        {children}
      </div>
    </div>
  </main>
);

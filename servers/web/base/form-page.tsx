import type { ComponentChildren } from 'preact';
import { Heading } from './heading.tsx';

interface FormPageProps {
  readonly children: ComponentChildren;
  readonly lead?: string;
}

/** A page with one form. */
export const FormPage = ({ children, lead }: FormPageProps) => (
  <main class="form">
    <div class="card">
      <div class="stack wide">
        {lead === undefined ? (
          <Heading />
        ) : (
          <div>
            <Heading />
            <p class="muted">{lead}</p>
          </div>
        )}
        {children}
      </div>
    </div>
  </main>
);

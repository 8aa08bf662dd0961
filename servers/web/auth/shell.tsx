import type { ComponentChildren } from 'preact';
import { Heading } from '../kit/page.tsx';

/** A page with one form. */
export const FormPage = ({ children }: { readonly children: ComponentChildren }) => (
  <main class="form">
    <div class="card">
      <div class="stack wide">
        <Heading />
        {children}
      </div>
    </div>
  </main>
);

import type { ComponentChildren } from 'preact';

export const Card = ({
  children,
  title,
}: {
  readonly children: ComponentChildren;
  readonly title?: string;
}) => (
  <section class="card">
    <div class="stack">
      {title === undefined ? null : <h2>{title}</h2>}
      {children}
    </div>
  </section>
);

export const Tag = ({
  tone,
  children,
}: {
  readonly tone: 'good' | 'warn' | 'info';
  readonly children: ComponentChildren;
}) => <span class={`tag ${tone}`}>{children}</span>;

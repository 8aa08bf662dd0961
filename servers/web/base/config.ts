import type { PageConfig } from '../../client/page-config.ts';

export const config: PageConfig = JSON.parse(document.getElementById('config')?.textContent ?? '{}');

export const providerName = (id: string): string =>
  config.providers.find((provider) => provider.id === id)?.name ?? id;

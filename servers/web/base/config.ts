import type { PageConfig } from '../../client/page-config.ts';

export const config: PageConfig = JSON.parse(document.getElementById('config')?.textContent ?? '{}');

import { config } from './config.ts';

/** The operator's logo, else a mark and the name. If there is a dark logo, the style sheet shows one of the two. */
export const Logo = () =>
  config.logo === null ? (
    <>
      <i class="mark" aria-hidden="true" />
      <span>{config.product}</span>
    </>
  ) : (
    <>
      {config.logo.dark === null ? null : <img class="dark" src={config.logo.dark} alt={config.product} />}
      <img src={config.logo.light} alt={config.product} />
    </>
  );

import { config } from './config.ts';

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

import { expect } from 'chai';
import { resolvePorts } from '../../../adapters/compose/container.ts';

interface Ports {
  readonly clock: { now(): number };
  readonly digest: { readonly name: string };
}

describe('The container', () => {
  const clock = { now: () => 1 };
  const resolve = (overrides: Partial<Ports> = {}) => {
    let factoryCalls = 0;
    const ports = resolvePorts<Ports>(
      {
        clock: { useValue: clock },
        digest: {
          useFactory: () => {
            factoryCalls += 1;
            return { name: 'ours' };
          },
        },
      },
      overrides,
    );
    return { ports, made: () => factoryCalls };
  };

  it('gives each port the value that is registered, or what its factory makes once', () => {
    const { ports, made } = resolve();
    expect(ports.clock).to.equal(clock);
    expect(ports.digest).to.equal(ports.digest);
    expect({ ...ports }).to.deep.equal({ clock, digest: { name: 'ours' } });
    expect(made()).to.equal(1);
  });

  it('takes an override in place of the registration, whose factory it does not call', () => {
    const digest = { name: 'of the app' };
    const { ports, made } = resolve({ digest });
    expect(ports).to.deep.equal({ clock, digest });
    expect(made()).to.equal(0);
  });

  it('resolves the ports of two products apart', () => {
    expect(resolve().ports.digest).not.to.equal(resolve().ports.digest);
  });
});

import type { Signal } from '@preact/signals';
import { Button } from '../../kit/button.tsx';
import { Menu } from '../../kit/menu.tsx';
import { self } from '../session.ts';
import { c } from '../text.ts';
import { ActionDialog, type ActionProps } from './action-dialog.tsx';
import { ACTIONS, type Action } from './action-list.ts';

interface ActionsProps extends Omit<ActionProps, 'action' | 'onClose'> {
  /** The action whose dialog is open; null without one. */
  readonly openAction: Signal<Action | null>;
}

/** Everything that can be done to a user, in one place, which is folded up on narrow screens. */
export const Actions = ({ openAction, ...props }: ActionsProps) => {
  const { title, danger, list } = c().actions;
  const isFounder = self.value?.role === 'founder';
  const fitting = ACTIONS.filter(
    ({ fits = () => true, forFounders }) => fits(props.user) && (isFounder || !forFounders),
  );
  const inMenu = fitting.filter(({ isInMenu }) => isInMenu);
  const choose = (action: Action) => {
    openAction.value = action;
  };
  const buttons = (
    <div class="row actions">
      {fitting
        .filter(({ isInMenu }) => !isInMenu)
        .map((action) => (
          <Button key={action.name} kind="plain" onPress={() => choose(action)}>
            {list[action.name].name}
          </Button>
        ))}
      {inMenu.length === 0 ? null : (
        <Menu kind="danger" text={danger}>
          {(close) =>
            inMenu.map((action) => (
              <Button
                key={action.name}
                kind="danger"
                onPress={() => {
                  close();
                  choose(action);
                }}
              >
                {list[action.name].name}
              </Button>
            ))
          }
        </Menu>
      )}
    </div>
  );
  const heading = <h2 id="actions">{title}</h2>;
  return (
    <section class="card" aria-labelledby="actions">
      {matchMedia('(min-width: 720px)').matches ? (
        <div class="stack">
          {heading}
          {buttons}
        </div>
      ) : (
        <details class="sheet">
          <summary>{heading}</summary>
          {buttons}
        </details>
      )}
      {openAction.value === null ? null : (
        <ActionDialog
          {...props}
          action={openAction.value}
          onClose={() => {
            openAction.value = null;
          }}
        />
      )}
    </section>
  );
};

import {
  $,
  M,
  O,
  Q,
  R,
  U,
  X,
  b,
  k,
  n,
  r,
  x
} from "./chunk-JUNNJGRR.js";
export {
  x as Component,
  $ as Fragment,
  b as cloneElement,
  U as createContext,
  k as createElement,
  X as createPortal,
  M as createRef,
  k as h,
  R as hydrate,
  r as isValidElement,
  n as options,
  Q as render,
  O as toChildArray
};
//# sourceMappingURL=preact.js.map

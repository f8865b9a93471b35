import {
  $,
  b,
  k,
  n,
  r
} from "./chunk-JUNNJGRR.js";

// node_modules/preact-render-to-string/dist/index.module.js
var o = "__s";
var i = "__c";
var a = "__k";
var u = "__d";
var c = "__s";
var f = /[\s\n\\/='"\0<>]/;
var s = /^(xlink|xmlns|xml)([A-Z])/;
var l = /^(?:accessK|auto[A-Z]|cell|ch|col|cont|cross|dateT|encT|form[A-Z]|frame|hrefL|inputM|maxL|minL|noV|playsI|popoverT|readO|rowS|src[A-Z]|tabI|useM|item[A-Z])/;
var p = /^ac|^ali|arabic|basel|cap|clipPath$|clipRule$|color|dominant|enable|fill|flood|font|glyph[^R]|horiz|image|letter|lighting|marker[^WUH]|overline|panose|pointe|paint|rendering|shape|stop|strikethrough|stroke|text[^L]|transform|underline|unicode|units|^v[^i]|^w|^xH/;
var h = /* @__PURE__ */ new Set(["draggable", "spellcheck"]);
function d(e) {
  void 0 !== e.__g ? e.__g |= 8 : e[u] = true;
}
function v(e) {
  void 0 !== e.__g ? e.__g &= -9 : e[u] = false;
}
function m(e) {
  return void 0 !== e.__g ? !!(8 & e.__g) : true === e[u];
}
var y = /["&<]/;
function _(e) {
  if (0 === e.length || false === y.test(e)) return e;
  for (var t = 0, n2 = 0, r2 = "", o2 = ""; n2 < e.length; n2++) {
    switch (e.charCodeAt(n2)) {
      case 34:
        o2 = "&quot;";
        break;
      case 38:
        o2 = "&amp;";
        break;
      case 60:
        o2 = "&lt;";
        break;
      default:
        continue;
    }
    n2 !== t && (r2 += e.slice(t, n2)), r2 += o2, t = n2 + 1;
  }
  return n2 !== t && (r2 += e.slice(t, n2)), r2;
}
var g = {};
var k2 = /* @__PURE__ */ new Set(["animation-iteration-count", "border-image-outset", "border-image-slice", "border-image-width", "box-flex", "box-flex-group", "box-ordinal-group", "column-count", "fill-opacity", "flex", "flex-grow", "flex-negative", "flex-order", "flex-positive", "flex-shrink", "flood-opacity", "font-weight", "grid-column", "grid-row", "line-clamp", "line-height", "opacity", "order", "orphans", "stop-opacity", "stroke-dasharray", "stroke-dashoffset", "stroke-miterlimit", "stroke-opacity", "stroke-width", "tab-size", "widows", "z-index", "zoom"]);
var b2 = /[A-Z]/g;
function x(e) {
  var t = "";
  for (var n2 in e) {
    var r2 = e[n2];
    if (null != r2 && "" !== r2) {
      var o2 = "-" == n2[0] ? n2 : g[n2] || (g[n2] = n2.replace(b2, "-$&").toLowerCase()), i2 = ";";
      "number" != typeof r2 || o2.startsWith("--") || k2.has(o2) || (i2 = "px;"), t = t + o2 + ":" + r2 + i2;
    }
  }
  return t || void 0;
}
function w() {
  this.__d = true;
}
function H(e, t) {
  return { __v: e, context: t, props: e.props, setState: w, forceUpdate: w, __d: true, __h: new Array(0) };
}
function C(e, t, n2) {
  if (!e.s) {
    if (n2 instanceof D) {
      if (!n2.s) return void (n2.o = C.bind(null, e, t));
      1 & t && (t = n2.s), n2 = n2.v;
    }
    if (n2 && n2.then) return void n2.then(C.bind(null, e, t), C.bind(null, e, 2));
    e.s = t, e.v = n2;
    const r2 = e.o;
    r2 && r2(e);
  }
}
var D = function() {
  function e() {
  }
  return e.prototype.then = function(t, n2) {
    var r2 = new e(), o2 = this.s;
    if (o2) {
      var i2 = 1 & o2 ? t : n2;
      if (i2) {
        try {
          C(r2, 1, i2(this.v));
        } catch (e2) {
          C(r2, 2, e2);
        }
        return r2;
      }
      return this;
    }
    return this.o = function(e2) {
      try {
        var o3 = e2.v;
        1 & e2.s ? C(r2, 1, t ? t(o3) : o3) : n2 ? C(r2, 1, n2(o3)) : C(r2, 2, o3);
      } catch (e3) {
        C(r2, 2, e3);
      }
    }, r2;
  }, e;
}();
function A(e) {
  return e instanceof D && 1 & e.s;
}
function S(e, t, n2) {
  for (var r2; ; ) {
    var o2 = e();
    if (A(o2) && (o2 = o2.v), !o2) return i2;
    if (o2.then) {
      r2 = 0;
      break;
    }
    var i2 = n2();
    if (i2 && i2.then) {
      if (!A(i2)) {
        r2 = 1;
        break;
      }
      i2 = i2.s;
    }
    if (t) {
      var a2 = t();
      if (a2 && a2.then && !A(a2)) {
        r2 = 2;
        break;
      }
    }
  }
  var u2 = new D(), c2 = C.bind(null, u2, 2);
  return (0 === r2 ? o2.then(s2) : 1 === r2 ? i2.then(f2) : a2.then(l2)).then(void 0, c2), u2;
  function f2(r3) {
    i2 = r3;
    do {
      if (t && (a2 = t()) && a2.then && !A(a2)) return void a2.then(l2).then(void 0, c2);
      if (!(o2 = e()) || A(o2) && !o2.v) return void C(u2, 1, i2);
      if (o2.then) return void o2.then(s2).then(void 0, c2);
      A(i2 = n2()) && (i2 = i2.v);
    } while (!i2 || !i2.then);
    i2.then(f2).then(void 0, c2);
  }
  function s2(e2) {
    e2 ? (i2 = n2()) && i2.then ? i2.then(f2).then(void 0, c2) : f2(i2) : C(u2, 1, i2);
  }
  function l2() {
    (o2 = e()) ? o2.then ? o2.then(s2).then(void 0, c2) : s2(o2) : C(u2, 1, i2);
  }
}
function E(e, t) {
  try {
    var n2 = e();
  } catch (e2) {
    return t(true, e2);
  }
  return n2 && n2.then ? n2.then(t.bind(null, false), t.bind(null, true)) : t(false, n2);
}
var L = function(n2, r2) {
  try {
    var o2 = W();
    return Promise.resolve(E(function() {
      return Promise.resolve(B(function() {
        var i2, u2 = k($, null);
        return u2[a] = [n2], o2.rootHook && o2.rootHook(n2, ((i2 = {})[a] = u2, i2.nodeType = 1, i2)), q(n2, r2 || T, false, void 0, u2, true, void 0, o2);
      })).then(function(e) {
        var t, n3 = function() {
          if (P(e)) {
            var n4 = function() {
              var e2 = o3.join(U);
              return t = 1, e2;
            }, r3 = 0, o3 = e, i2 = S(function() {
              return !!o3.some(function(e2) {
                return e2 && "function" == typeof e2.then;
              }) && r3++ < 25;
            }, void 0, function() {
              return Promise.resolve(Promise.all(o3)).then(function(e2) {
                o3 = e2.flat();
              });
            });
            return i2 && i2.then ? i2.then(n4) : n4();
          }
        }();
        return n3 && n3.then ? n3.then(function(n4) {
          return t ? n4 : e;
        }) : t ? n3 : e;
      });
    }, function(e, t) {
      if (o2.commitHook && B(function() {
        return o2.commitHook(n2, j);
      }), j.length = 0, e) throw t;
      return t;
    }));
  } catch (e) {
    return Promise.reject(e);
  }
};
var T = {};
var j = [];
var P = Array.isArray;
var $2 = Object.assign;
var U = "";
var Z = "<!--$s-->";
var F = "<!--/$s-->";
function M(e) {
  return "string" == typeof e ? Z + e + F : P(e) ? (e.unshift(Z), e.push(F), e) : e && "function" == typeof e.then ? e.then(M) : Z + e + F;
}
function W() {
  return { beforeDiff: n.__b, afterDiff: n.diffed, renderHook: n.__r, unmountHook: n.unmount, rootHook: n.__, commitHook: n.__c, catchError: n.__e, errorBoundaries: n.errorBoundaries };
}
function B(e) {
  var t = n[o];
  n[o] = true;
  try {
    return e();
  } finally {
    n[o] = t;
  }
}
function N(e, t, n2) {
  var r2, o2 = e.type, a2 = true;
  return e[i] ? (a2 = false, (r2 = e[i]).state = r2[c]) : r2 = new o2(e.props, t), e[i] = r2, r2.__v = e, r2.props = e.props, r2.context = t, d(r2), null == r2.state && (r2.state = T), null == r2[c] && (r2[c] = r2.state), o2.getDerivedStateFromProps ? r2.state = $2({}, r2.state, o2.getDerivedStateFromProps(r2.props, r2.state)) : a2 && r2.componentWillMount ? (r2.componentWillMount(), r2.state = r2[c] !== r2.state ? r2[c] : r2.state) : !a2 && r2.componentWillUpdate && r2.componentWillUpdate(), n2.renderHook && n2.renderHook(e), r2.render(r2.props, r2.state, t);
}
function q(e, n2, o2, u2, y2, g2, k3, b3) {
  if (null == e || true === e || false === e || e === U) return U;
  var w2 = typeof e;
  if ("object" != w2) return "function" == w2 ? U : "string" == w2 ? _(e) : e + U;
  if (P(e)) {
    var C2, D2 = U;
    y2[a] = e;
    for (var A2 = e.length, S2 = 0; S2 < A2; S2++) {
      var E2 = e[S2];
      if (null != E2 && "boolean" != typeof E2) {
        var L2, j2 = q(E2, n2, o2, u2, y2, g2, k3, b3);
        "string" == typeof j2 ? D2 += j2 : (C2 || (C2 = new Array(A2)), D2 && C2.push(D2), D2 = U, P(j2) ? (L2 = C2).push.apply(L2, j2) : C2.push(j2));
      }
    }
    return C2 ? (D2 && C2.push(D2), C2) : D2;
  }
  if (!r(e)) return U;
  e.__ = y2, b3.beforeDiff && b3.beforeDiff(e);
  var Z2 = e.type, F2 = e.props;
  if ("function" == typeof Z2) {
    var W2, z, O, R = n2;
    if (Z2 === $) {
      if ("tpl" in F2) {
        for (var K, G = U, J = 0; J < F2.tpl.length; J++) if (G += F2.tpl[J], F2.exprs && J < F2.exprs.length) {
          var Q = F2.exprs[J];
          if (null == Q) continue;
          if ("object" == typeof Q && (r(Q) || P(Q))) {
            var X, Y = q(Q, n2, o2, u2, e, g2, k3, b3);
            "string" == typeof Y ? G += Y : (K || (K = []), G && K.push(G), G = U, P(Y) ? (X = K).push.apply(X, Y) : K.push(Y));
          } else G += Q;
        }
        return K ? (G && K.push(G), K) : G;
      }
      if ("UNSTABLE_comment" in F2) return "<!--" + _(F2.UNSTABLE_comment) + "-->";
      z = F2.children;
    } else {
      if (null != (W2 = Z2.contextType)) {
        var ee = n2[W2.__c];
        R = ee ? ee.props.value : W2.__;
      }
      var te = Z2.prototype && "function" == typeof Z2.prototype.render;
      if (te) z = /**#__NOINLINE__**/
      N(e, R, b3), O = e[i];
      else {
        e[i] = O = /**#__NOINLINE__**/
        H(e, R);
        for (var ne = 0; m(O) && ne++ < 25; ) {
          v(O), b3.renderHook && b3.renderHook(e);
          try {
            z = Z2.call(O, F2, R);
          } catch (t) {
            throw g2 && t && "function" == typeof t.then && (e._suspended = true), t;
          }
        }
        d(O);
      }
      if (null != O.getChildContext && (n2 = $2({}, n2, O.getChildContext())), te && b3.errorBoundaries && (Z2.getDerivedStateFromError || O.componentDidCatch)) {
        z = null != z && z.type === $ && null == z.key && null == z.props.tpl ? z.props.children : z;
        try {
          return q(z, n2, o2, u2, e, g2, false, b3);
        } catch (r2) {
          return Z2.getDerivedStateFromError && (O[c] = Z2.getDerivedStateFromError(r2)), O.componentDidCatch && O.componentDidCatch(r2, T), m(O) ? (z = N(e, n2, b3), null != (O = e[i]).getChildContext && (n2 = $2({}, n2, O.getChildContext())), q(z = null != z && z.type === $ && null == z.key && null == z.props.tpl ? z.props.children : z, n2, o2, u2, e, g2, k3, b3)) : U;
        } finally {
          b3.afterDiff && b3.afterDiff(e), b3.unmountHook && b3.unmountHook(e);
        }
      }
    }
    z = null != z && z.type === $ && null == z.key && null == z.props.tpl ? z.props.children : z;
    try {
      var re = q(z, n2, o2, u2, e, g2, k3, b3);
      return b3.afterDiff && b3.afterDiff(e), b3.unmountHook && b3.unmountHook(e), e._suspended ? M(re) : re;
    } catch (t) {
      if (!g2 && k3 && k3.onError) {
        var oe = function t2(r2) {
          return k3.onError(r2, e, function(e2, r3) {
            try {
              return B(function() {
                return q(e2, n2, o2, u2, r3, g2, k3, b3);
              });
            } catch (e3) {
              return t2(e3);
            }
          });
        }(t);
        return void 0 !== oe ? oe : (b3.catchError && b3.catchError(t, e), U);
      }
      if (!g2) throw t;
      if (!t || "function" != typeof t.then) throw t;
      return t.then(function t2() {
        try {
          var r2 = B(function() {
            return q(z, n2, o2, u2, e, g2, k3, b3);
          });
          return e._suspended ? M(r2) : r2;
        } catch (e2) {
          if (!e2 || "function" != typeof e2.then) throw e2;
          return e2.then(t2);
        }
      });
    }
  }
  var ie, ae = "<" + Z2, ue = U;
  for (var ce in F2) {
    var fe = F2[ce];
    if ("function" != typeof (fe = V(fe) ? fe.value : fe) || "class" === ce || "className" === ce) {
      switch (ce) {
        case "children":
          ie = fe;
          continue;
        case "key":
        case "ref":
        case "__self":
        case "__source":
          continue;
        case "htmlFor":
          if ("for" in F2) continue;
          ce = "for";
          break;
        case "className":
          if ("class" in F2) continue;
          ce = "class";
          break;
        case "defaultChecked":
          ce = "checked";
          break;
        case "defaultSelected":
          ce = "selected";
          break;
        case "defaultValue":
        case "value":
          switch (ce = "value", Z2) {
            case "textarea":
              ie = fe;
              continue;
            case "select":
              u2 = fe;
              continue;
            case "option":
              u2 != fe || "selected" in F2 || (ae += " selected");
          }
          break;
        case "dangerouslySetInnerHTML":
          ue = fe && fe.__html;
          continue;
        case "style":
          "object" == typeof fe && (fe = x(fe));
          break;
        case "acceptCharset":
          ce = "accept-charset";
          break;
        case "httpEquiv":
          ce = "http-equiv";
          break;
        default:
          if (f.test(ce)) continue;
          s.test(ce) ? ce = ce.replace(s, "$1:$2").toLowerCase() : "-" !== ce[4] && !h.has(ce) || null == fe ? o2 ? p.test(ce) && (ce = "panose1" === ce ? "panose-1" : ce.replace(/([A-Z])/g, "-$1").toLowerCase()) : l.test(ce) && (ce = ce.toLowerCase()) : fe += U;
      }
      null != fe && false !== fe && (ae = true === fe || fe === U ? ae + " " + ce : ae + " " + ce + '="' + _(fe + U) + '"');
    }
  }
  if (f.test(Z2)) throw new Error(Z2 + " is not a valid HTML tag name in " + ae + ">");
  if (ue || ("string" == typeof ie ? ue = _(ie) : null != ie && false !== ie && true !== ie && (ue = q(ie, n2, "svg" === Z2 || "foreignObject" !== Z2 && o2, u2, e, g2, k3, b3))), b3.afterDiff && b3.afterDiff(e), b3.unmountHook && b3.unmountHook(e), !ue && I.has(Z2)) return ae + "/>";
  var se = "</" + Z2 + ">", le = ae + ">";
  return P(ue) ? [le].concat(ue, [se]) : "string" != typeof ue ? [le, ue, se] : le + ue + se;
}
var I = /* @__PURE__ */ new Set(["area", "base", "br", "col", "command", "embed", "hr", "img", "input", "keygen", "link", "meta", "param", "source", "track", "wbr"]);
function V(e) {
  return null !== e && "object" == typeof e && "function" == typeof e.peek && "value" in e;
}

// node_modules/preact-iso/src/prerender.js
var vnodeHook;
var old = n.vnode;
n.vnode = (vnode) => {
  if (old) old(vnode);
  if (vnodeHook) vnodeHook(vnode);
};
async function prerender(vnode, options) {
  options = options || {};
  const props = options.props;
  if (typeof vnode === "function") {
    vnode = k(vnode, props);
  } else if (props) {
    vnode = b(vnode, props);
  }
  let links = /* @__PURE__ */ new Set();
  vnodeHook = ({ type, props: props2 }) => {
    if (type === "a" && props2 && props2.href && (!props2.target || props2.target === "_self")) {
      links.add(props2.href);
    }
  };
  try {
    let html = await L(vnode);
    html += `<script type="isodata"><\/script>`;
    return { html, links };
  } finally {
    vnodeHook = null;
  }
}
function locationStub(path) {
  globalThis.location = {};
  const u2 = new URL(path, "http://localhost");
  for (const i2 in u2) {
    try {
      globalThis.location[i2] = /to[A-Z]/.test(i2) ? u2[i2].bind(u2) : String(u2[i2]);
    } catch {
    }
  }
}
export {
  prerender as default,
  locationStub
};
//# sourceMappingURL=prerender-MGNWYYDR.js.map

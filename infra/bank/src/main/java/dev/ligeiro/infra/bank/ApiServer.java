package dev.ligeiro.infra.bank;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The port for customers: mutual TLS, then token, scope and the number of calls at once, then the route, with the faults that
 * {@link Faults} decides.
 */
final class ApiServer implements AutoCloseable {

    static {
        // the JDK's server delays small answers by 40 ms without the first, and drops idle connections after 30 s
        // without the second
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.idleInterval", "300");
    }

    private record ApiRoute(String method, Pattern path, String scope, Function<ApiCall, Reply> handler) {

        /** As in {@code PUT /cob/{}}. */
        String operation() {
            return method + " "
                    + path.pattern().replaceAll("\\(\\?:/api\\)\\?|/v[23]", "").replace("([^/]+)", "{}");
        }
    }

    private static final int BODY_BYTES_MAX = 1_000_000;
    private static final String TOKEN_PATH = "/oauth/token";

    private final HttpsServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(Settlements.threads("bank-call"));
    private final List<ApiRoute> routes = new ArrayList<>();
    private final Tokens tokens;
    private final Faults faults;
    private final BankSettings settings;
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger runningMost = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger handshakesToBreak = new AtomicInteger();

    ApiServer(BankSettings settings, SSLContext context, Tokens tokens, Faults faults) throws IOException {
        this.settings = settings;
        this.tokens = tokens;
        this.faults = faults;
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), settings.port), 0);
        server.setHttpsConfigurator(new Handshake(context));
        server.setExecutor(threads);
        server.createContext("/", this::handle);
    }

    /** All calls but that for a token. */
    List<String> operations() {
        return routes.stream().map(ApiRoute::operation).distinct().toList();
    }

    /** @param path with {@code {}} for an id */
    void route(String method, String path, String scope, Function<ApiCall, Reply> handler) {
        String version = path.startsWith("/v") ? "" : "(?:/api)?/v2";
        Pattern pattern = Pattern.compile(version + path.replace("{}", "([^/]+)"));
        routes.add(new ApiRoute(method, pattern, scope, handler));
    }

    void start() {
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** For tests that the customer keeps the limit. */
    ObjectNode calls() {
        return Reply.json("at_once_max", runningMost.get(), "refused", refused.get());
    }

    private final class Handshake extends HttpsConfigurator {

        Handshake(SSLContext context) {
            super(context);
        }

        @Override
        public void configure(HttpsParameters parameters) {
            SSLParameters ssl = getSSLContext().getDefaultSSLParameters();
            ssl.setNeedClientAuth(true);
            if (handshakesToBreak.getAndUpdate(count -> Math.max(0, count - 1)) > 0) {
                ssl.setProtocols(new String[] {"TLSv1"}); // which no client of today accepts
            }
            parameters.setSSLParameters(ssl);
        }
    }

    private void handle(HttpExchange exchange) {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX);
            X509Certificate certificate =
                    (X509Certificate) ((HttpsExchange) exchange).getSSLSession().getPeerCertificates()[0];
            Reply reply;
            try {
                reply = exchange.getRequestURI().getPath().equals(TOKEN_PATH)
                        ? token(exchange, body, certificate)
                        : call(exchange, body, certificate);
            } catch (Refusal refusal) {
                reply = refusal.reply();
            }
            if (reply != null) {
                reply.write(exchange);
            }
        } catch (IOException e) {
            // the client is gone
        } catch (RuntimeException e) {
            e.printStackTrace(); // a fault of the bank itself; the client sees a lost answer
        }
    }

    private @Nullable Reply token(HttpExchange exchange, byte[] body, X509Certificate certificate) {
        Faults.Decision fault = faults.next(Faults.Place.TOKEN, "POST " + TOKEN_PATH, "");
        if (fault != null) {
            switch (fault.kind()) {
                case LOST_BEFORE -> {
                    return null;
                }
                case SLOW -> delay(fault);
                default -> throw refusal(fault);
            }
        }
        return tokens.issue(body, header(exchange, "Authorization"), certificate);
    }

    private @Nullable Reply call(HttpExchange exchange, byte[] body, X509Certificate certificate) {
        String path = exchange.getRequestURI().getPath();
        for (ApiRoute route : routes) {
            Matcher matcher = route.path().matcher(path);
            if (route.method().equals(exchange.getRequestMethod()) && matcher.matches()) {
                tokens.check(header(exchange, "Authorization"), certificate, route.scope());
                List<String> ids = new ArrayList<>();
                for (int i = 1; i <= matcher.groupCount(); i++) {
                    ids.add(matcher.group(i));
                }
                ApiCall call =
                        new ApiCall(ids, ApiCall.parse(exchange.getRequestURI().getRawQuery()), body);
                return inTurn(exchange, route, call);
            }
        }
        throw Refusal.problem(404, "NaoEncontrado", "Não há este recurso.");
    }

    /** Keeps the limit of the account. A slow call takes its place all the time. */
    private @Nullable Reply inTurn(HttpExchange exchange, ApiRoute route, ApiCall call) {
        int now = running.incrementAndGet();
        try {
            if (now > settings.callsAtOnceMax) {
                refused.incrementAndGet();
                throw busy();
            }
            runningMost.accumulateAndGet(now, Math::max);
            String id = call.ids().isEmpty() ? "" : call.id(call.ids().size() - 1);
            Faults.Decision fault = faults.next(Faults.Place.CALL, route.operation(), id);
            return fault == null ? answer(route, call) : withFault(exchange, route, call, fault);
        } finally {
            running.decrementAndGet();
        }
    }

    private static Reply answer(ApiRoute route, ApiCall call) {
        try {
            return route.handler().apply(call);
        } catch (Refusal refusal) {
            return refusal.reply();
        }
    }

    private @Nullable Reply withFault(HttpExchange exchange, ApiRoute route, ApiCall call, Faults.Decision fault) {
        switch (fault.kind()) {
            case LOST_BEFORE:
                return null;
            case LOST_AFTER:
                answer(route, call);
                return null;
            case SLOW:
                delay(fault);
                return answer(route, call);
            case LATE_ANSWER:
                Reply late = answer(route, call);
                delay(fault);
                return late;
            case ERROR_AFTER:
                answer(route, call);
                throw refusal(fault);
            case REPEATED:
                answer(route, call);
                return answer(route, call);
            case EXPIRED_TOKEN:
                tokens.revoke(header(exchange, "Authorization"));
                throw Tokens.expired();
            case TLS_BROKEN:
                handshakesToBreak.incrementAndGet();
                return answer(route, call).withHeader("Connection", "close");
            case ERROR_BEFORE, BUSY:
                throw refusal(fault);
            default:
                return answer(route, call).distorted(fault.kind());
        }
    }

    private static Refusal refusal(Faults.Decision fault) {
        if (fault.kind() == Faults.Kind.BUSY) {
            return busy();
        }
        boolean before = fault.kind() == Faults.Kind.ERROR_BEFORE;
        if (fault.share() < 0.5) {
            return Refusal.problem(500, "ErroInternoDoServidor", "Condição inesperada ao processar a requisição.");
        }
        return before
                ? Refusal.problem(503, "ServicoIndisponivel", "Serviço não está disponível no momento.")
                : Refusal.problem(504, "IndisponibilidadePorTempoEsgotado", "O serviço demorou além do esperado.");
    }

    private static Refusal busy() {
        return Refusal.problem(429, "RequisicoesEmExcesso", "Requisições simultâneas em excesso.")
                .withHeader("Retry-After", "1");
    }

    private void delay(Faults.Decision fault) {
        try {
            Thread.sleep((long) (settings.delayMax.toMillis() * fault.share()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static @Nullable String header(HttpExchange exchange, String name) {
        return exchange.getRequestHeaders().getFirst(name);
    }

    @Override
    public void close() {
        server.stop(0);
        Settlements.end(threads);
    }
}

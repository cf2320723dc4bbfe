package dev.ligeiro.dispatcher.http;

import dev.ligeiro.transaction.Tenant;
import java.io.IOException;
import org.apache.hc.client5.http.async.AsyncExecCallback;
import org.apache.hc.client5.http.async.AsyncExecChain;
import org.apache.hc.client5.http.async.AsyncExecRuntime;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.nio.AsyncEntityProducer;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.IOSession;
import org.jspecify.annotations.Nullable;

/**
 * A running exchange, to close its connection at once. HttpClient's cancel does so by way of its callbacks, but leaves a connection open
 * whose TLS handshake is not finished: a receiver that sends a byte of its handshake now and then would keep it for hours.
 */
final class OpenExchange {

    private static final String ATTRIBUTE = "ligeiro.exchange";

    private final Tenant tenant;
    private @Nullable AsyncExecRuntime runtime;
    private @Nullable IOSession connecting;
    private boolean closed;

    private OpenExchange(Tenant tenant) {
        this.tenant = tenant;
    }

    /** Begins the exchange with {@code context}. */
    static OpenExchange in(HttpContext context, Tenant tenant) {
        OpenExchange exchange = new OpenExchange(tenant);
        context.setAttribute(ATTRIBUTE, exchange);
        return exchange;
    }

    /** The exchange with {@code context}; null if it has none. */
    static @Nullable OpenExchange of(@Nullable HttpContext context) {
        return context != null && context.getAttribute(ATTRIBUTE) instanceof OpenExchange exchange ? exchange : null;
    }

    Tenant tenant() {
        return tenant;
    }

    /** Remembers the exchange's connection: an interceptor of HttpClient. */
    static void remember(
            HttpRequest request,
            @Nullable AsyncEntityProducer entity,
            AsyncExecChain.Scope scope,
            AsyncExecChain chain,
            AsyncExecCallback callback)
            throws HttpException, IOException {
        OpenExchange exchange = of(scope.clientContext);
        if (exchange != null) {
            exchange.runs(scope.execRuntime);
        }
        chain.proceed(request, entity, scope, callback);
    }

    private synchronized void runs(AsyncExecRuntime on) {
        runtime = on;
    }

    /** A TCP connection is open; its TLS handshake follows. */
    void connecting(IOSession session) {
        if (!keep(session)) {
            session.close(CloseMode.IMMEDIATE);
        }
    }

    private synchronized boolean keep(IOSession session) {
        connecting = session;
        return !closed;
    }

    /** The connection belongs to the runtime, which closes it or returns it to the pool. */
    synchronized void connected() {
        connecting = null;
    }

    /** Closes the connection; does nothing if the exchange has none, or has given it back. */
    void close() {
        IOSession session;
        AsyncExecRuntime running;
        synchronized (this) {
            closed = true;
            session = connecting;
            running = runtime;
        }
        if (session != null) {
            session.close(CloseMode.IMMEDIATE);
        }
        if (running != null) {
            running.discardEndpoint();
        }
    }
}

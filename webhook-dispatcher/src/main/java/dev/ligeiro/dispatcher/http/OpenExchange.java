package dev.ligeiro.dispatcher.http;

import java.io.IOException;
import org.apache.hc.client5.http.async.AsyncExecCallback;
import org.apache.hc.client5.http.async.AsyncExecChain;
import org.apache.hc.client5.http.async.AsyncExecChainHandler;
import org.apache.hc.client5.http.async.AsyncExecRuntime;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.nio.AsyncEntityProducer;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.jspecify.annotations.Nullable;

/**
 * Closes the connection of a running exchange at once. HttpClient's cancel does so by way of its callbacks; an exchange that it misses
 * would keep its connection for as long as the receiver sends a byte now and then.
 */
final class OpenExchange implements AsyncExecChainHandler {

    private static final String RUNTIME = "ligeiro.runtime";

    /** Remembers the exchange's connection in its context. */
    @Override
    public void execute(
            HttpRequest request,
            @Nullable AsyncEntityProducer entity,
            AsyncExecChain.Scope scope,
            AsyncExecChain chain,
            AsyncExecCallback callback)
            throws HttpException, IOException {
        scope.clientContext.setAttribute(RUNTIME, scope.execRuntime);
        chain.proceed(request, entity, scope, callback);
    }

    /** Closes the connection of the exchange with this context; does nothing if it has none, or has given it back. */
    static void close(HttpContext context) {
        if (context.getAttribute(RUNTIME) instanceof AsyncExecRuntime runtime) {
            runtime.discardEndpoint();
        }
    }
}

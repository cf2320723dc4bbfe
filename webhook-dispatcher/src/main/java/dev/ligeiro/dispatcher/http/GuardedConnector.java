package dev.ligeiro.dispatcher.http;

import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.webhook.AllowedNetworks;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SchemePortResolver;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.apache.hc.client5.http.nio.AsyncClientConnectionOperator;
import org.apache.hc.client5.http.nio.ManagedAsyncClientConnection;
import org.apache.hc.core5.concurrent.CallbackContribution;
import org.apache.hc.core5.concurrent.ComplexFuture;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.concurrent.FutureContribution;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.nio.ssl.TlsStrategy;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.net.NamedEndpoint;
import org.apache.hc.core5.reactor.ConnectionInitiator;
import org.apache.hc.core5.reactor.IOSession;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to addresses that {@link GuardedDns} allows for the scheme. A DNS lookup blocks its thread, for seconds if a
 * name server is down. Lookups therefore have threads of their own; on the client's threads they would delay all other merchants.
 */
final class GuardedConnector implements AsyncClientConnectionOperator {

    /** Builds a connection pool whose connections are opened by a {@link GuardedConnector}. */
    static PoolingAsyncClientConnectionManagerBuilder pool(AllowedNetworks networks, DnsResolver dns, Lookups lookups) {
        return new PoolingAsyncClientConnectionManagerBuilder() {
            @Override
            protected AsyncClientConnectionOperator createConnectionOperator(
                    TlsStrategy tlsStrategy, SchemePortResolver ports, DnsResolver unguarded) {
                return new GuardedConnector(
                        super.createConnectionOperator(tlsStrategy, ports, new GuardedDns(dns, networks, false)),
                        super.createConnectionOperator(tlsStrategy, ports, new GuardedDns(dns, networks, true)),
                        lookups);
            }
        };
    }

    private final AsyncClientConnectionOperator plain;
    private final AsyncClientConnectionOperator tls;
    private final Lookups lookups;

    GuardedConnector(AsyncClientConnectionOperator plain, AsyncClientConnectionOperator tls, Lookups lookups) {
        this.plain = plain;
        this.tls = tls;
        this.lookups = lookups;
    }

    @Override
    public Future<ManagedAsyncClientConnection> connect(
            ConnectionInitiator initiator,
            HttpHost host,
            @Nullable SocketAddress localAddress,
            Timeout connectTimeout,
            Object attachment,
            FutureCallback<ManagedAsyncClientConnection> callback) {
        return connect(initiator, host, null, null, localAddress, connectTimeout, attachment, null, callback);
    }

    @Override
    public Future<ManagedAsyncClientConnection> connect(
            ConnectionInitiator initiator,
            HttpHost host,
            @Nullable Path unixDomainSocket,
            @Nullable NamedEndpoint endpointName,
            @Nullable SocketAddress localAddress,
            Timeout connectTimeout,
            Object attachment,
            @Nullable HttpContext context,
            FutureCallback<ManagedAsyncClientConnection> callback) {
        // drop a resolved address from the host: the client would connect to it without GuardedDns
        HttpHost named = new HttpHost(host.getSchemeName(), host.getHostName(), host.getPort());
        ComplexFuture<ManagedAsyncClientConnection> connection = new ComplexFuture<>(callback);
        OpenExchange exchange = Objects.requireNonNull(OpenExchange.of(context));
        return lookUp(exchange.tenant(), connection, () -> of(named)
                .connect(
                        telling(exchange, initiator),
                        named,
                        null,
                        endpointName,
                        localAddress,
                        connectTimeout,
                        attachment,
                        context,
                        completing(connection, exchange)));
    }

    /** Tells {@code exchange} about each TCP connection, before its TLS handshake. */
    private static ConnectionInitiator telling(OpenExchange exchange, ConnectionInitiator initiator) {
        return (endpoint, remote, local, timeout, attachment, callback) -> initiator.connect(
                endpoint, remote, local, timeout, attachment, new CallbackContribution<IOSession>(callback) {
                    @Override
                    public void completed(IOSession session) {
                        exchange.connecting(session);
                        callback.completed(session);
                    }
                });
    }

    private ComplexFuture<ManagedAsyncClientConnection> lookUp(
            Tenant tenant,
            ComplexFuture<ManagedAsyncClientConnection> connection,
            Supplier<Future<ManagedAsyncClientConnection>> connect) {
        try {
            lookups.execute(tenant, () -> {
                try {
                    if (!connection.isDone()) {
                        connection.setDependency(connect.get());
                    }
                } catch (RuntimeException failed) {
                    connection.failed(failed);
                }
            });
        } catch (TooManyLookups full) {
            connection.failed(full);
        }
        return connection;
    }

    private static FutureCallback<ManagedAsyncClientConnection> completing(
            ComplexFuture<ManagedAsyncClientConnection> connection, OpenExchange exchange) {
        return new FutureContribution<>(connection) {
            @Override
            public void completed(ManagedAsyncClientConnection opened) {
                if (!connection.completed(opened)) {
                    opened.close(CloseMode.IMMEDIATE);
                }
                exchange.connected();
            }
        };
    }

    @Override
    public void upgrade(ManagedAsyncClientConnection connection, HttpHost host, Object attachment) {
        of(host).upgrade(connection, host, attachment);
    }

    private AsyncClientConnectionOperator of(HttpHost host) {
        return URIScheme.HTTPS.same(host.getSchemeName()) ? tls : plain;
    }

    /**
     * The threads of DNS lookups. A lookup blocks its thread, for many seconds if the name server is dead, and can outlast its attempt. So a
     * tenant has at most a quarter of the threads. None waits for a thread: its attempt is made later.
     */
    static final class Lookups {

        static final int PER_TENANT_MAX = 32;
        private static final int MAX = 4 * PER_TENANT_MAX;
        private static final int IDLE_SECONDS = 10;

        private final ExecutorService threads =
                new ThreadPoolExecutor(0, MAX, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                    Thread thread = new Thread(task, "webhook-dns");
                    thread.setDaemon(true);
                    return thread;
                });
        private final ConcurrentHashMap<Tenant, Integer> perTenant = new ConcurrentHashMap<>();

        void execute(Tenant tenant, Runnable lookup) throws TooManyLookups {
            boolean fits = perTenant.merge(tenant, 1, Integer::sum) <= PER_TENANT_MAX;
            if (!fits || !started(tenant, lookup)) {
                ended(tenant);
                throw new TooManyLookups();
            }
        }

        private boolean started(Tenant tenant, Runnable lookup) {
            try {
                threads.execute(() -> {
                    try {
                        lookup.run();
                    } finally {
                        ended(tenant);
                    }
                });
                return true;
            } catch (RejectedExecutionException full) {
                return false;
            }
        }

        private void ended(Tenant tenant) {
            perTenant.computeIfPresent(tenant, (same, count) -> count == 1 ? null : count - 1);
        }
    }
}

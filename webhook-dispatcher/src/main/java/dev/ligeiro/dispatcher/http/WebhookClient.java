package dev.ligeiro.dispatcher.http;

import dev.ligeiro.transaction.Tenant;
import java.net.ConnectException;
import java.net.URI;
import java.nio.channels.ClosedSelectorException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.HostnameVerificationPolicy;
import org.apache.hc.client5.http.ssl.HttpsSupport;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.nio.AsyncRequestProducer;
import org.apache.hc.core5.http.nio.entity.AsyncEntityProducers;
import org.apache.hc.core5.http.nio.ssl.TlsStrategy;
import org.apache.hc.core5.http.nio.support.AsyncRequestBuilder;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.ssl.SSLBufferMode;
import org.apache.hc.core5.ssl.SSLContexts;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Posts webhooks to URLs chosen by merchants, which are not trusted. A POST is exactly one request: no redirects, retries, cookies,
 * authentication or proxy. It ends within the total timeout. The client is Apache's asynchronous HttpClient 5.
 */
@Component
public final class WebhookClient implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(WebhookClient.class);

    /** HttpClient's own constant adds a charset parameter, which JSON does not have (RFC 8259 §11). */
    private static final ContentType JSON = ContentType.create("application/json");

    private static final String USER_AGENT = "Ligeiro-Webhooks/1.0";
    /** A connection has three buffers of this size. The default, 8 kB, makes no write or read of a webhook less. */
    private static final int BUFFER_BYTES = 2048;

    /** The largest response body that is read and dropped. A larger one closes the connection; the status counts. */
    private static final long BODY_BYTES_MAX = 8_192;
    /**
     * The most bytes that are read of a head, with the 1xx responses before it, and of a body with its framing. Usual heads have less than
     * 2 KB.
     */
    private static final long RESPONSE_BYTES_MAX = 16_384;
    /** Of a {@link ResponseHead}, and of the trailers. */
    private static final int LINE_LENGTH_MAX = 8_192;

    private static final int HEADERS_MAX = 100;

    /** An idle connection is closed after this time, or earlier if the receiver asks for it. Serves a merchant with an event a minute. */
    private static final TimeValue IDLE_MAX = TimeValue.ofSeconds(75);
    /** The maximum age of a connection, so that DNS changes take effect for busy merchants too. */
    private static final TimeValue CONNECTION_AGE_MAX = TimeValue.ofMinutes(10);
    /** A connection that was idle for longer is checked before use, because the receiver may have closed it. */
    private static final TimeValue VALIDATE_AFTER_IDLE = TimeValue.ofSeconds(1);

    /** A time limit of Reactor's own would look for the names of operators, for its message. */
    private static final Mono<PostResult> LATE = Mono.error(TimeoutException::new);

    private final CloseableHttpAsyncClient http;
    private final Duration totalTimeout;

    @Autowired
    WebhookClient(WebhookProperties properties) {
        this(properties, SystemDefaultDnsResolver.INSTANCE, SSLContexts.createDefault());
    }

    WebhookClient(WebhookProperties properties, DnsResolver dns, SSLContext tls) {
        this.totalTimeout = properties.totalTimeout();
        this.http = HttpAsyncClients.custom()
                .setConnectionManager(connections(properties, dns, tls).build())
                .setDefaultRequestConfig(requestConfig(properties))
                .setHttp1Config(Http1Config.custom()
                        .setBufferSize(BUFFER_BYTES)
                        .setMaxLineLength(LINE_LENGTH_MAX)
                        .setMaxHeaderCount(HEADERS_MAX)
                        .build())
                .setUserAgent(USER_AGENT)
                .setIoSessionDecorator(new ResponseReader(RESPONSE_BYTES_MAX))
                .setIoReactorExceptionCallback(WebhookClient::log)
                .addExecInterceptorFirst("open-exchange", OpenExchange::remember)
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableCookieManagement()
                .disableAuthCaching()
                .disableContentCompression()
                .disableConnectionState()
                .evictExpiredConnections()
                .evictIdleConnections(IDLE_MAX)
                .build();
        http.start();
    }

    /** A client that is closed while a request runs closes the selector of its own thread, which is no error. */
    private static void log(Exception failure) {
        if (failure instanceof ClosedSelectorException) {
            return;
        }
        LOG.atError()
                .addKeyValue("event.action", "http_client_failed")
                .setCause(failure)
                .log("A thread of the HTTP client has failed");
    }

    /** Allows as many connections as attempts, so that an attempt never waits in the pool behind those of a slow receiver. */
    private static PoolingAsyncClientConnectionManagerBuilder connections(
            WebhookProperties properties, DnsResolver dns, SSLContext tls) {
        return GuardedConnector.pool(properties.networks(), dns, new GuardedConnector.Lookups())
                .setMaxConnTotal(properties.attemptsMax())
                .setMaxConnPerRoute(properties.attemptsMax())
                .setTlsStrategy(tls(tls))
                .setDefaultTlsConfig(TlsConfig.custom()
                        .setVersionPolicy(HttpVersionPolicy.FORCE_HTTP_1)
                        .build())
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(Timeout.of(properties.connectTimeout()))
                        .setSocketTimeout(Timeout.of(properties.totalTimeout()))
                        .setValidateAfterInactivity(VALIDATE_AFTER_IDLE)
                        .setTimeToLive(CONNECTION_AGE_MAX)
                        .build());
    }

    /** HttpClient's default, but buffers, 50 kB a connection, are kept only while they have data: a receiver that hangs has none. */
    private static TlsStrategy tls(SSLContext tls) {
        return new DefaultClientTlsStrategy(
                tls,
                null,
                null,
                SSLBufferMode.DYNAMIC,
                HostnameVerificationPolicy.BOTH,
                HttpsSupport.getDefaultHostnameVerifier());
    }

    private static RequestConfig requestConfig(WebhookProperties properties) {
        return RequestConfig.custom()
                .setRedirectsEnabled(false)
                .setAuthenticationEnabled(false)
                .setProtocolUpgradeEnabled(false)
                .setConnectionRequestTimeout(Timeout.of(properties.totalTimeout()))
                .setResponseTimeout(Timeout.of(properties.totalTimeout()))
                .build();
    }

    /**
     * Gives the result of the POST. All failures but {@link TooManyLookups} are results. Canceling closes the connection.
     *
     * @param tenant whose lookup it is
     */
    public Mono<PostResult> post(Tenant tenant, URI url, Map<String, String> headers, byte[] body) {
        return Mono.defer(() -> {
            ResponseConsumer consumer = new ResponseConsumer(BODY_BYTES_MAX);
            return Mono.<PostResult>create(sink -> send(tenant, request(url, headers, body), consumer, sink))
                    .timeout(totalTimeout, LATE)
                    .onErrorResume(failure -> !(failure instanceof TooManyLookups), failure -> {
                        PostResult response = consumer.response();
                        return Mono.just(response == null ? PostResult.noResponse(failure) : response);
                    });
        });
    }

    private static AsyncRequestProducer request(URI url, Map<String, String> headers, byte[] body) {
        AsyncRequestBuilder request = AsyncRequestBuilder.post(url);
        headers.forEach(request::addHeader);
        return request.setEntity(AsyncEntityProducers.create(body, JSON)).build();
    }

    private void send(
            Tenant tenant, AsyncRequestProducer request, ResponseConsumer consumer, MonoSink<PostResult> sink) {
        HttpClientContext context = HttpClientContext.create();
        OpenExchange open = OpenExchange.in(context, tenant);
        Future<PostResult> exchange = http.execute(request, consumer, null, context, new FutureCallback<>() {
            @Override
            public void completed(PostResult response) {
                sink.success(response);
            }

            @Override
            public void failed(Exception cause) {
                sink.error(cause);
            }

            @Override
            public void cancelled() {
                sink.error(new ConnectException("the client was closed"));
            }
        });
        sink.onCancel(() -> {
            exchange.cancel(true);
            open.close();
        });
    }

    @Override
    public void destroy() {
        http.close(CloseMode.GRACEFUL);
    }
}

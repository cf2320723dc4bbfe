package dev.ligeiro.dispatcher.http;

import java.nio.channels.ClosedSelectorException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.HostnameVerificationPolicy;
import org.apache.hc.client5.http.ssl.HttpsSupport;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.nio.ssl.TlsStrategy;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.reactor.ssl.SSLBufferMode;
import org.apache.hc.core5.ssl.SSLContexts;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Builds the {@link WebhookClient}: Apache's asynchronous HttpClient 5 without redirects, retries, cookies, authentication and proxy. */
@Configuration(proxyBeanMethods = false)
class HttpConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(HttpConfiguration.class);

    private static final String USER_AGENT = "Ligeiro-Webhooks/1.0";
    private static final int LINE_LENGTH_MAX = 8192;
    /** A connection has three buffers of this size. The default, 8 kB, makes no write or read of a webhook less. */
    private static final int BUFFER_BYTES = 2048;

    private static final int HEADERS_MAX = 100;
    /**
     * What the head of a response, with the 1xx responses before it, may add to the limit of its body. Usual heads have less than 2 KB. With
     * the default limit of bodies, a server's TLS handshake, which counts too, may have 16 KB.
     */
    private static final long HEAD_BYTES_MAX = 8_192;

    /** An idle connection is closed after this time, or earlier if the receiver asks for it. Serves a merchant with an event a minute. */
    private static final TimeValue IDLE_MAX = TimeValue.ofSeconds(75);
    /** The maximum age of a connection, so that DNS changes take effect for busy merchants too. */
    private static final TimeValue CONNECTION_AGE_MAX = TimeValue.ofMinutes(10);
    /** A connection that was idle for longer is checked before use, because the receiver may have closed it. */
    private static final TimeValue VALIDATE_AFTER_IDLE = TimeValue.ofSeconds(1);

    private static final int LOOKUP_THREADS_MAX = 64;
    /** Eight tenants with dead name servers together use up the threads. */
    private static final int LOOKUP_THREADS_PER_TENANT_MAX = 8;

    private static final int LOOKUP_THREAD_IDLE_SECONDS = 10;

    @Bean
    WebhookClient webhookClient(WebhookProperties properties) {
        return webhookClient(properties, SystemDefaultDnsResolver.INSTANCE);
    }

    static WebhookClient webhookClient(WebhookProperties properties, DnsResolver dns) {
        CloseableHttpAsyncClient http = HttpAsyncClients.custom()
                .setConnectionManager(connections(properties, dns).build())
                .setDefaultRequestConfig(requestConfig(properties))
                .setHttp1Config(Http1Config.custom()
                        .setBufferSize(BUFFER_BYTES)
                        .setMaxLineLength(LINE_LENGTH_MAX)
                        .setMaxHeaderCount(HEADERS_MAX)
                        .build())
                .setUserAgent(USER_AGENT)
                .setIoSessionDecorator(new ResponseLimit(
                        HEAD_BYTES_MAX + properties.answerMax().toBytes()))
                .setIoReactorExceptionCallback(HttpConfiguration::log)
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
        return new WebhookClient(http, properties);
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
            WebhookProperties properties, DnsResolver dns) {
        return GuardedConnector.pool(new AddressRules(properties.networks()), dns, lookups(properties.attemptsMax()))
                .setMaxConnTotal(properties.attemptsMax())
                .setMaxConnPerRoute(properties.attemptsMax())
                .setTlsStrategy(tls())
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
    private static TlsStrategy tls() {
        return new DefaultClientTlsStrategy(
                SSLContexts.createDefault(),
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

    /** The queue of the threads is bounded by the tenants' shares, those of the tenants by the number of attempts. */
    private static Lookups lookups(int inFlightMax) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                LOOKUP_THREADS_MAX,
                LOOKUP_THREADS_MAX,
                LOOKUP_THREAD_IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> {
                    Thread thread = new Thread(task, "webhook-dns");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        return new Lookups(threads, LOOKUP_THREADS_PER_TENANT_MAX, inFlightMax);
    }
}

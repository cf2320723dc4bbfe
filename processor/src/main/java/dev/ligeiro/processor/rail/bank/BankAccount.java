package dev.ligeiro.processor.rail.bank;

import dev.ligeiro.processor.rail.RailFault;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.util.UriComponentsBuilder;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import tools.jackson.databind.JsonNode;

/**
 * Calls a bank for one account: over mutual TLS with the certificate of a Spring SSL bundle, with a token, each call as exactly one
 * request. A canceled call closes its connection. When the certificate's file changes, the next calls use the new one.
 *
 * <p>A read whose token is refused is repeated once with a new one. A write is not: its repetition must count as one, so that its refusal
 * is read back. A write without a token fails with {@link RailFault#beforeCall}; a read does not, because a write may have preceded it.
 */
public class BankAccount {

    private static final Duration IDLE_MAX = Duration.ofSeconds(20);
    private static final long LIFE_SECONDS_DEFAULT = 300;

    private final String rail;
    private final BankProperties properties;
    private final MeterRegistry meters;
    private final Clock clock;
    private final ConnectionProvider connections;
    private final AccessToken token;
    private volatile WebClient http;

    /** @throws IllegalArgumentException if the SSL bundle does not exist or has no client certificate */
    BankAccount(String rail, BankProperties properties, SslBundles bundles, MeterRegistry meters, Clock clock) {
        this.rail = rail;
        this.properties = properties;
        this.meters = meters;
        this.clock = clock;
        this.connections = ConnectionProvider.builder("rail-" + rail)
                .maxConnections(properties.callsAtOnce() + 1)
                .maxIdleTime(IDLE_MAX)
                .build();
        this.token = new AccessToken(Mono.defer(this::requestToken), clock);
        this.http = client(bundle(bundles));
        bundles.addBundleUpdateHandler(properties.sslBundle(), renewed -> http = client(renewed));
        Gauge.builder("ligeiro.rail.token.age", token, AccessToken::ageSeconds)
                .description("The age of the rail's access token; it is renewed when four fifths of its life are over")
                .baseUnit("seconds")
                .tag("rail", rail)
                .register(meters);
    }

    public String rail() {
        return rail;
    }

    public BankProperties properties() {
        return properties;
    }

    /** @param what names the call in metrics */
    public Mono<BankAnswer> get(String what, String path) {
        return get(what, path, Map.of());
    }

    /** @param query parameters in addition to those of the settings */
    public Mono<BankAnswer> get(String what, String path, Map<String, String> query) {
        URI url = url(properties.baseUrl(), path, query);
        return send(what, HttpMethod.GET, url, null)
                .flatMap(answer -> answer.isUnauthorized() ? send(what, HttpMethod.GET, url, null) : Mono.just(answer));
    }

    /** @param body is sent as JSON */
    public Mono<BankAnswer> put(String what, String path, Map<String, ?> body) {
        return send(what, HttpMethod.PUT, url(properties.baseUrl(), path, Map.of()), body);
    }

    /** @param body is sent as JSON */
    public Mono<BankAnswer> post(String what, String path, Map<String, ?> body) {
        return send(what, HttpMethod.POST, url(properties.baseUrl(), path, Map.of()), body);
    }

    public Mono<BankAnswer> patch(String what, String path, Map<String, ?> body) {
        return send(what, HttpMethod.PATCH, url(properties.baseUrl(), path, Map.of()), body);
    }

    private Mono<BankAnswer> send(String what, HttpMethod method, URI url, @Nullable Map<String, ?> body) {
        Mono<AccessToken.Granted> current = Mono.defer(token::get);
        return (body == null ? current : current.onErrorMap(RailFault::beforeCall)).flatMap(granted -> {
            WebClient.RequestBodySpec request =
                    request(method, url).header(HttpHeaders.AUTHORIZATION, "Bearer " + granted.value());
            if (body != null) {
                request.contentType(MediaType.APPLICATION_JSON).bodyValue(BankAnswer.JSON.writeValueAsBytes(body));
            }
            return exchange(what, request, properties.callTimeout()).doOnNext(answer -> {
                if (answer.isUnauthorized()) {
                    token.refuse(granted);
                } else {
                    token.accept(granted);
                }
            });
        });
    }

    /** Its time limit is shorter than that of the calls that wait for it, or these would end first, as unknown. */
    private Mono<AccessToken.Granted> requestToken() {
        Instant askedAt = clock.instant();
        WebClient.RequestBodySpec request = request(HttpMethod.POST, url(properties.tokenUrl(), "", Map.of()));
        return exchange("token", tokenRequest(request), properties.callTimeout().dividedBy(2))
                .map(answer -> granted(answer, askedAt));
    }

    private WebClient.RequestHeadersSpec<?> tokenRequest(WebClient.RequestBodySpec request) {
        BankProperties.TokenRequest kind = properties.tokenRequest();
        MultiValueMap<String, String> fields = new LinkedMultiValueMap<>();
        fields.add("grant_type", "client_credentials");
        if (properties.scope() != null) {
            fields.add("scope", properties.scope());
        }
        if (kind == BankProperties.TokenRequest.FORM) {
            fields.add("client_id", properties.clientId());
            fields.add("client_secret", properties.clientSecret());
        } else {
            request.headers(headers -> headers.setBasicAuth(properties.clientId(), properties.clientSecret()));
        }
        return kind == BankProperties.TokenRequest.JSON
                ? request.contentType(MediaType.APPLICATION_JSON)
                        .bodyValue(BankAnswer.JSON.writeValueAsBytes(fields.toSingleValueMap()))
                : request.body(BodyInserters.fromFormData(fields));
    }

    private static AccessToken.Granted granted(BankAnswer answer, Instant askedAt) {
        if (!answer.isDone()) {
            throw new RailFault("token, status: " + answer.status());
        }
        JsonNode life = answer.body().path("expires_in");
        long seconds = life.asLong(LIFE_SECONDS_DEFAULT);
        return new AccessToken.Granted(
                BankFields.text(answer.body(), "access_token"), askedAt, Duration.ofSeconds(seconds));
    }

    private WebClient.RequestBodySpec request(HttpMethod method, URI url) {
        return http.method(method)
                .uri(url)
                .accept(MediaType.APPLICATION_JSON, MediaType.APPLICATION_PROBLEM_JSON)
                .headers(headers -> properties.headers().forEach(headers::set));
    }

    private URI url(URI base, String path, Map<String, String> query) {
        Map<String, String> all = new LinkedHashMap<>(properties.query());
        all.putAll(query);
        UriComponentsBuilder url = UriComponentsBuilder.fromUri(base).path(path);
        all.keySet().forEach(name -> url.queryParam(name, "{" + name + "}"));
        return url.encode().buildAndExpand(all).toUri();
    }

    private Mono<BankAnswer> exchange(String what, WebClient.RequestHeadersSpec<?> request, Duration limit) {
        return Mono.defer(() -> {
            long begunNanos = System.nanoTime();
            return request.exchangeToMono(response -> BankAnswer.read(
                            response.statusCode().value(), response.body(BodyExtractors.toDataBuffers())))
                    .doOnNext(answer -> count(what, Integer.toString(answer.status()), begunNanos))
                    .doOnError(fault -> count(what, "failed", begunNanos))
                    .doOnCancel(() -> count(what, "timeout", begunNanos))
                    .timeout(limit);
        });
    }

    private void count(String what, String status, long begunNanos) {
        Timer.builder("ligeiro.rail.requests")
                .description("HTTP requests to the bank of a rail")
                .tag("rail", rail)
                .tag("request", what)
                .tag("status", status)
                .register(meters)
                .record(System.nanoTime() - begunNanos, TimeUnit.NANOSECONDS);
    }

    private SslBundle bundle(SslBundles bundles) {
        String setting = "ligeiro.rails." + rail + ".ssl-bundle: " + properties.sslBundle();
        try {
            SslBundle bundle = bundles.getBundle(properties.sslBundle());
            if (bundle.getStores().getKeyStore() == null) {
                throw new IllegalArgumentException(setting + " has no client certificate (expected: a key store)");
            }
            return bundle;
        } catch (NoSuchSslBundleException missing) {
            throw new IllegalArgumentException(
                    setting + " (expected: the name of a bundle in spring.ssl.bundle)", missing);
        }
    }

    private WebClient client(SslBundle bundle) {
        SslContext tls = tls(bundle);
        HttpClient client = HttpClient.create(connections)
                .secure(spec -> spec.sslContext(tls))
                .disableRetry(true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        properties.connectTimeout().toMillis());
        return WebClient.builder()
                .clientConnector(new ReactorClientHttpConnector(client))
                .build();
    }

    private static SslContext tls(SslBundle bundle) {
        SslOptions options = bundle.getOptions();
        try {
            return SslContextBuilder.forClient()
                    .keyManager(bundle.getManagers().getKeyManagerFactory())
                    .trustManager(bundle.getManagers().getTrustManagerFactory())
                    .protocols(options.getEnabledProtocols())
                    .ciphers(SslOptions.asSet(options.getCiphers()))
                    .build();
        } catch (SSLException invalid) {
            throw new IllegalArgumentException(invalid);
        }
    }
}

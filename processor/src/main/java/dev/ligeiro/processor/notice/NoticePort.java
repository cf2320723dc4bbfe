package dev.ligeiro.processor.notice;

import static dev.ligeiro.processor.ProcessorMemoryBudget.BANK_ANSWER;
import static dev.ligeiro.processor.ProcessorMemoryBudget.NOTICES_UNDER_WAY;
import static dev.ligeiro.processor.ProcessorMemoryBudget.NOTICE_MIN;

import dev.ligeiro.processor.rail.RailFault;
import dev.ligeiro.processor.rail.bank.BankAccount;
import dev.ligeiro.processor.rail.bank.BankAnswer;
import dev.ligeiro.processor.rail.bank.BankPayment;
import dev.ligeiro.processor.rail.bank.BankProperties;
import dev.ligeiro.processor.rail.bank.LiveRails;
import dev.ligeiro.support.work.Interval;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.WebServer;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.SslInfo;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

/**
 * The port for the notices of banks, {@code POST /{rail}/pix}, with client certificates required: those that the rail names, because a
 * bank's CA may have issued others to its customers. All others are answered 403. The answer is 200 once Kafka has the reports; a bank
 * repeats a notice after any other answer, such as 503 while too many notices are under way. It is open when {@code
 * ligeiro.notices.ssl-bundle} is set.
 */
@Component
class NoticePort implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(NoticePort.class);

    /** A body may come slowly, and Kafka has 12 s. */
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /** A bank may send thousands of notices while Kafka is away. */
    private static final Duration REFUSED_LOG_PAUSE = Duration.ofMinutes(1);

    /** RFC 5280 §4.2.1.6, as of {@link X509Certificate#getSubjectAlternativeNames} */
    private static final Integer DNS_NAME = 2;

    private final NoticeProperties properties;
    private final LiveRails rails;
    private final ReportPayments reports;
    private final SslBundles bundles;
    private final MeterRegistry meters;
    private final Clock clock;
    private final AtomicLong bytesUnderWay = new AtomicLong();
    private final Map<String, Interval> refusedLogged = new ConcurrentHashMap<>();
    private @Nullable WebServer server;

    NoticePort(
            NoticeProperties properties,
            LiveRails rails,
            ReportPayments reports,
            SslBundles bundles,
            MeterRegistry meters,
            Clock clock) {
        this.properties = properties;
        this.rails = rails;
        this.reports = reports;
        this.bundles = bundles;
        this.meters = meters;
        this.clock = clock;
        // so that the series exist, with 0, before the first
        rails.accounts().keySet().forEach(rail -> refused(rail, HttpStatus.SERVICE_UNAVAILABLE));
    }

    @Override
    public void start() {
        if (properties.sslBundle() == null) {
            return;
        }
        rails.accounts().forEach((rail, account) -> requireSenders(rail, account.properties()));
        NettyReactiveWebServerFactory factory = new NettyReactiveWebServerFactory(properties.port());
        Ssl ssl = Ssl.forBundle(properties.sslBundle());
        ssl.setClientAuth(Ssl.ClientAuth.NEED);
        factory.setSsl(ssl);
        factory.setSslBundles(bundles);
        // Efí calls the URL without the suffix when it is registered
        var routes = RouterFunctions.route()
                .POST("/{rail}", this::receive)
                .POST("/{rail}/pix", this::receive)
                .build();
        server = factory.getWebServer(RouterFunctions.toHttpHandler(routes));
        server.start();
    }

    private static void requireSenders(String rail, BankProperties account) {
        String setting = "ligeiro.rails." + rail + ".notice-senders: ";
        if (account.noticeUrl() != null && account.noticeSenders().isEmpty()) {
            throw new IllegalStateException(
                    setting + "not set (expected: DNS names or subjects of the certificates that may send notices)");
        }
        account.noticeSenders().stream().filter(NoticePort::isSubject).forEach(subject -> {
            try {
                new X500Principal(subject);
            } catch (IllegalArgumentException e) {
                throw new IllegalStateException(setting + subject + " (expected: a subject such as CN=bank,O=Bank)", e);
            }
        });
    }

    private Mono<ServerResponse> receive(ServerRequest request) {
        String rail = request.pathVariable("rail");
        BankAccount account = rails.accounts().get(rail);
        if (account == null) {
            return ServerResponse.notFound().build();
        }
        X509Certificate sender = sender(request);
        if (account.properties().noticeSenders().stream().noneMatch(name -> isOf(sender, name))) {
            return refused(
                    rail, HttpStatus.FORBIDDEN, new RailFault("a certificate of " + sender.getSubjectX500Principal()));
        }
        // of a larger notice, no more is read
        long bytes = Math.min(
                BANK_ANSWER,
                Math.max(NOTICE_MIN, request.headers().contentLength().orElse(BANK_ANSWER)));
        Mono<Void> taken = BankAnswer.read(HttpStatus.OK.value(), request.body(BodyExtractors.toDataBuffers()))
                .map(body -> BankPayment.of(body.json(), account.properties().receiverKey()))
                .flatMap(payments -> reports.hinted(ReadNotices.ofNotice(rail, payments)))
                .timeout(TIMEOUT);
        return Mono.using(
                        () -> bytesUnderWay.addAndGet(bytes),
                        underWay -> requireRoom(underWay).then(taken),
                        underWay -> bytesUnderWay.addAndGet(-bytes))
                .then(ServerResponse.ok().build())
                .onErrorResume(failure -> refused(rail, status(failure), failure));
    }

    /** The server has checked that a CA of the trust store has issued it. */
    private static X509Certificate sender(ServerRequest request) {
        SslInfo tls = Objects.requireNonNull(request.exchange().getRequest().getSslInfo());
        return Objects.requireNonNull(tls.getPeerCertificates())[0];
    }

    private static boolean isOf(X509Certificate sender, String name) {
        return isSubject(name)
                ? new X500Principal(name).equals(sender.getSubjectX500Principal())
                : dnsNames(sender).anyMatch(name::equalsIgnoreCase);
    }

    private static boolean isSubject(String name) {
        return name.contains("=");
    }

    private static Stream<String> dnsNames(X509Certificate certificate) {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return names == null
                    ? Stream.empty()
                    : names.stream()
                            .filter(name -> name.get(0).equals(DNS_NAME))
                            .map(name -> (String) name.get(1));
        } catch (CertificateParsingException e) {
            return Stream.empty();
        }
    }

    private Mono<ServerResponse> refused(String rail, HttpStatus status, Throwable failure) {
        reportRefused(rail, status, failure);
        return ServerResponse.status(status).build();
    }

    private void reportRefused(String rail, HttpStatus status, Throwable failure) {
        refused(rail, status).increment();
        if (refusedLogged
                .computeIfAbsent(rail, name -> new Interval(REFUSED_LOG_PAUSE))
                .begin(clock.instant())) {
            LOG.atWarn()
                    .addKeyValue("event.action", "notice_refused")
                    .addKeyValue("rail", rail)
                    .addKeyValue("status", status.value())
                    .addKeyValue("cause", RailFault.describe(failure))
                    .log("A bank's notice was not taken; the bank repeats it, or catch-up finds its payments");
        }
    }

    private Counter refused(String rail, HttpStatus status) {
        return Counter.builder("ligeiro.rail.notices.refused")
                .description("Notices of banks that were not taken, by the status of the answer")
                .tag("rail", rail)
                .tag("status", Integer.toString(status.value()))
                .register(meters);
    }

    /** A notice that is too large stays so: with 200 the bank does not repeat it, and catch-up reads its payments. */
    private static HttpStatus status(Throwable failure) {
        if (failure instanceof RailFault) {
            return HttpStatus.BAD_REQUEST;
        }
        return BankAnswer.isTooLarge(failure) ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE;
    }

    private static Mono<Void> requireRoom(long bytes) {
        return bytes > NOTICES_UNDER_WAY
                ? Mono.error(new RejectedExecutionException(
                        "bytes of notices under way: " + bytes + " (expected: <= " + NOTICES_UNDER_WAY + ")"))
                : Mono.empty();
    }

    int port() {
        return Objects.requireNonNull(server).getPort();
    }

    @Override
    public void stop() {
        if (server != null) {
            server.stop();
            server = null;
        }
    }

    @Override
    public boolean isRunning() {
        return server != null;
    }
}

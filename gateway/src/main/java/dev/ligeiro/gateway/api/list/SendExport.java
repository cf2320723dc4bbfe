package dev.ligeiro.gateway.api.list;

import static java.nio.charset.StandardCharsets.UTF_8;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.connection.LongResponse;
import dev.ligeiro.gateway.http.limit.SharedAmount;
import dev.ligeiro.gateway.http.problem.Problems;
import dev.ligeiro.gateway.http.problem.RequestId;
import dev.ligeiro.support.observe.LoggedMerchant;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import dev.ligeiro.transaction.Tenant;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.core.publisher.Sinks;
import reactor.netty.channel.AbortedException;
import reactor.util.retry.Retry;

/**
 * Sends an export as the body of a response. The next rows are read when the connection has taken the ones before, so a client that reads
 * nothing holds neither a MongoDB connection nor a slot of the lists. A failure before the first byte is a problem response; later the
 * connection is reset, because a clean end would make the file look complete. It is also reset at the end if a transaction could not be decoded.
 *
 * <p>Only some exports run at once, of each tenant and in all: each may hold the bytes of one read, however slowly its client reads. When
 * the gateway stops it ends them after the time in which it still takes requests, because the HTTP server would wait for them.
 */
@Component
public class SendExport implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(SendExport.class);

    /** Each takes 100 to 400 kB while its client reads. All together run two reads at a time, so more exports take no more CPU. */
    static final int EXPORTS_MAX = 16;

    static final int PER_TENANT_MAX = 2;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(30);
    private static final Duration RETRY_AFTER_STOP = Duration.ofSeconds(2);
    /** After the drain of connections (the default phase), before the server's wait for running requests (1,024 below it). */
    private static final int PHASE = DEFAULT_PHASE - 512;

    /** A read in the middle is repeated for about 5 minutes, with growing pauses: an election in MongoDB takes up to 12 s. */
    private static final Retry AGAIN = Retry.backoff(60, Duration.ofMillis(250))
            .maxBackoff(Duration.ofSeconds(5))
            .filter(SendExport::mayPass)
            .onRetryExhaustedThrow((retries, last) -> last.failure());

    private final SharedAmount exports = new SharedAmount(EXPORTS_MAX, PER_TENANT_MAX, RETRY_AFTER);
    private final Sinks.Empty<Void> stopped = Sinks.empty();
    private final Counter rows;
    private volatile boolean running;

    SendExport(MeterRegistry registry) {
        Gauge.builder("ligeiro.gateway.exports", exports::takenInAll)
                .description("Exports that are being sent")
                .baseUnit("exports")
                .register(registry);
        this.rows = Counter.builder("ligeiro.gateway.exported")
                .description("Transactions, and entries of statements, that were read for an export")
                .baseUnit("transactions")
                .register(registry);
    }

    /** Of an export as CSV. */
    public static final String CSV = "text/csv; charset=utf-8; header=present";

    /** The rows of one export, which are read when the connection takes them. Not for use by two threads at once. */
    public abstract static class Rows {

        /** The first lines are read, with the names of the columns. */
        protected boolean begun;

        protected boolean ended;
        /** The number of rows so far, and of those that cannot be decoded and are left out. */
        protected long rows;

        protected long leftOut;

        /**
         * The lines of the next read; the first ones have the names of the columns. Empty if a later read has found no rows. After a failure
         * it can be asked again.
         */
        public abstract Mono<byte[]> next();
    }

    public static byte[] csv(int typicalBytes, Consumer<CsvWriter> lines) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(typicalBytes);
        try (CsvWriter csv =
                CsvWriter.builder().lineDelimiter(LineDelimiter.CRLF).build(bytes, UTF_8)) {
            lines.accept(csv);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    /**
     * @param file the name of the file as which a browser stores the response
     * @param type the response's type
     */
    public Mono<Void> to(ServerHttpResponse response, Caller caller, String file, String type, Rows export) {
        Mono<Void> sent = next(export).flatMap(first -> send(first, file, type, export, response));
        return run(caller.tenant(), sent)
                .onErrorMap(failure -> response.isCommitted(), failure -> broken(failure, response))
                .doFinally(end -> log(end, export, caller, response));
    }

    /**
     * Counts {@code export} while it runs. It fails when the gateway stops.
     *
     * @throws Problem (in the result) 429 when the tenant is at its limit, 503 when all are
     */
    Mono<Void> run(Tenant tenant, Mono<Void> export) {
        return Mono.using(
                () -> {
                    exports.take(
                            tenant,
                            1,
                            "At most " + PER_TENANT_MAX + " of your exports run at once; send one after the other",
                            "Too many exports are running");
                    return tenant;
                },
                begun -> Mono.firstWithSignal(export, stopped.asMono()),
                ended -> exports.giveBack(ended, 1));
    }

    private Mono<Void> send(byte[] first, String file, String type, Rows export, ServerHttpResponse response) {
        response.getHeaders().set(HttpHeaders.CONTENT_TYPE, type);
        response.getHeaders().set(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"" + file + "\"");
        response.getHeaders().set(HttpHeaders.CACHE_CONTROL, "no-store");
        LongResponse.begin(response);
        Flux<byte[]> others = Mono.defer(() -> LongResponse.taken(response))
                .then(next(export).retryWhen(AGAIN))
                .repeat(() -> !export.ended);
        Flux<byte[]> all = export.ended ? Flux.just(first) : Flux.concat(Mono.just(first), others);
        Flux<byte[]> checked = all.concatWith(Mono.defer(() -> end(export, response)));
        return response.writeWith(checked.map(bytes -> response.bufferFactory().wrap(bytes)));
    }

    /** Fails after all other rows if one could not be decoded. */
    private static Mono<byte[]> end(Rows export, ServerHttpResponse response) {
        return export.leftOut == 0
                ? Mono.empty()
                : LongResponse.taken(response)
                        .then(Mono.error(new IllegalStateException("rows left out: " + export.leftOut)));
    }

    private Mono<byte[]> next(Rows export) {
        return Mono.defer(() -> {
            long before = export.rows;
            return export.next().doOnNext(read -> rows.increment(export.rows - before));
        });
    }

    private static boolean mayPass(Throwable failure) {
        return Problems.isUnavailable(failure)
                || failure instanceof Problem problem
                        && (problem.code() == ProblemCode.OVERLOADED || problem.code() == ProblemCode.RATE_LIMITED);
    }

    /** The server logs and does nothing more about the failure that is returned. */
    private static Throwable broken(Throwable failure, ServerHttpResponse response) {
        LongResponse.abort(response);
        if (failure instanceof AbortedException) {
            return failure;
        }
        LOG.atWarn()
                .addKeyValue("event.action", "export_failed")
                .addKeyValue("request_id", RequestId.of(response))
                .addKeyValue("cause", failure.getClass().getSimpleName())
                .log("An export ended before its last row");
        return AbortedException.beforeSend();
    }

    /** Who took how many transactions out of the system. */
    private static void log(SignalType end, Rows export, Caller caller, ServerHttpResponse response) {
        if (response.isCommitted()) {
            LoggedMerchant.add(
                            LOG.atInfo()
                                    .addKeyValue("event.action", "export_ended")
                                    .addKeyValue("request_id", RequestId.of(response)),
                            caller.tenant())
                    .addKeyValue("key_id", caller.keyId())
                    .addKeyValue("rows", export.rows)
                    .addKeyValue("complete", end == SignalType.ON_COMPLETE)
                    .log("An export has ended");
        }
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        stopped.tryEmitError(Problem.unavailable("The gateway stops", RETRY_AFTER_STOP));
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}

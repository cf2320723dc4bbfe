package dev.ligeiro.gateway.api.list.export;

import dev.ligeiro.gateway.http.auth.Caller;
import dev.ligeiro.gateway.http.connection.LongResponse;
import dev.ligeiro.gateway.http.problem.Problems;
import dev.ligeiro.gateway.http.problem.RequestId;
import dev.ligeiro.support.observe.LoggedMerchant;
import dev.ligeiro.support.problem.Problem;
import dev.ligeiro.support.problem.ProblemCode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.netty.channel.AbortedException;
import reactor.util.retry.Retry;

/**
 * Sends an export as the body of a response. The next rows are read when the connection has taken the ones before, so a client that reads
 * nothing holds neither a MongoDB connection nor a slot of the lists. A failure before the first byte is a problem response; later the
 * connection is reset, because a clean end would make the file look complete. It is also reset at the end if a transaction could not be decoded.
 */
@Component
public class SendExport {

    private static final Logger LOG = LoggerFactory.getLogger(SendExport.class);

    private static final String TYPE = "text/csv; charset=utf-8; header=present";

    /** A read in the middle is repeated for about 5 minutes, with growing pauses: an election in MongoDB takes up to 12 s. */
    private static final Retry AGAIN = Retry.backoff(60, Duration.ofMillis(250))
            .maxBackoff(Duration.ofSeconds(5))
            .filter(SendExport::mayPass)
            .onRetryExhaustedThrow((retries, last) -> last.failure());

    private final RunningExports exports;
    private final Counter rows;

    SendExport(RunningExports exports, MeterRegistry registry) {
        this.exports = exports;
        this.rows = Counter.builder("ligeiro.gateway.exported")
                .description("Transactions, and entries of statements, that were read for an export")
                .baseUnit("transactions")
                .register(registry);
    }

    /** @param file the name of the file as which a browser stores the response */
    public Mono<Void> to(ServerHttpResponse response, Caller caller, String file, CsvRows export) {
        Mono<Void> sent = next(export).flatMap(first -> send(first, file, export, response));
        return exports.run(caller.tenant(), sent)
                .onErrorMap(failure -> response.isCommitted(), failure -> broken(failure, response))
                .doFinally(end -> log(end, export, caller, response));
    }

    private Mono<Void> send(byte[] first, String file, CsvRows export, ServerHttpResponse response) {
        response.getHeaders().set(HttpHeaders.CONTENT_TYPE, TYPE);
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
    private static Mono<byte[]> end(CsvRows export, ServerHttpResponse response) {
        return export.leftOut == 0
                ? Mono.empty()
                : LongResponse.taken(response)
                        .then(Mono.error(new IllegalStateException("rows left out: " + export.leftOut)));
    }

    private Mono<byte[]> next(CsvRows export) {
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
    private static void log(SignalType end, CsvRows export, Caller caller, ServerHttpResponse response) {
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
}

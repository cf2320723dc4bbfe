package dev.ligeiro.gateway.store;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Decodes each document of a query by itself, so that a damaged one, or one that a newer version has written, does not fail its
 * neighbours. The log names it once, and a metric counts it.
 */
@Component
public final class DecodeEach {

    private static final Logger LOG = LoggerFactory.getLogger(DecodeEach.class);

    /** After so many, each gets another line. */
    private static final int REPORTED_MAX = 1_000;

    private final Set<Object> reported = ConcurrentHashMap.newKeySet();

    public DecodeEach(MeterRegistry registry) {
        Gauge.builder("ligeiro.gateway.undecodable", reported, Set::size)
                .description(
                        "Stored documents that this gateway has found undecodable since its start, counted up to 1,000")
                .baseUnit("documents")
                .register(registry);
    }

    /** The result of {@code decode}; null if it fails. */
    public <T> @Nullable T orNull(String collection, Object id, Supplier<T> decode) {
        try {
            return decode.get();
        } catch (RuntimeException undecodable) {
            report(collection, id, undecodable);
            return null;
        }
    }

    /** Logs a document that cannot be decoded, once; without the exception, whose message may have a value of the document. */
    public void report(String collection, Object id, RuntimeException undecodable) {
        if (reported.size() >= REPORTED_MAX) {
            reported.clear();
        }
        if (reported.add(id)) {
            LOG.atError()
                    .addKeyValue("event.action", "document_undecodable")
                    .addKeyValue("collection", collection)
                    .addKeyValue("id", id)
                    .addKeyValue("cause", undecodable.getClass().getSimpleName())
                    .log("A document cannot be decoded and is left out");
        }
    }
}

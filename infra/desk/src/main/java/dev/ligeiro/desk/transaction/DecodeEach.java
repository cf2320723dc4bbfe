package dev.ligeiro.desk.transaction;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decodes each document of a query by itself: a damaged one, or one of a newer version, is left out and named in the log. */
public final class DecodeEach {

    private static final Logger LOG = LoggerFactory.getLogger(DecodeEach.class);

    private DecodeEach() {}

    /** A function for {@link Stream#flatMap}. */
    public static <D extends Map<String, ?>, T> Function<D, Stream<T>> of(String collection, Function<D, T> decode) {
        return document -> {
            try {
                return Stream.of(decode.apply(document));
            } catch (RuntimeException undecodable) {
                // without the exception, whose message may have a value of the document
                LOG.atError()
                        .addKeyValue("event.action", "document_undecodable")
                        .addKeyValue("collection", collection)
                        .addKeyValue("id", document.get("_id"))
                        .addKeyValue("cause", undecodable.getClass().getSimpleName())
                        .log("A document cannot be decoded and is left out");
                return Stream.empty();
            }
        };
    }
}

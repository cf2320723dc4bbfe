package dev.ligeiro.desk.audit;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ligeiro.transaction.UuidV7;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A link of the audit's hash chain, one for each of the two writes of an entry. Each run of a desk writes a chain of its own, one link after
 * the other. This is all that another writer or reader of the audit needs to know about it.
 *
 * @param chain names the run; its first entry has in its body the ends of the chains that it found
 * @param number from 1
 * @param previous the hash of the link before; zeros for the first
 * @param hash the SHA-256, in hex, of {@code previous} followed by {@link #digest}, both in hex
 */
public record AuditLink(UUID chain, long number, String previous, String hash) {

    private static final String NONE = "0".repeat(64);

    /** The link that follows nothing. */
    static AuditLink origin(long epochMillis) {
        return new AuditLink(UuidV7.at(epochMillis), 0, "", NONE);
    }

    AuditLink next(String digest) {
        return new AuditLink(chain, number + 1, hash, sha256(hash + digest));
    }

    /** Of what an entry has from its beginning on. */
    static String digestOfBegun(AuditEntry entry) {
        return entry.digest() != null
                ? entry.digest()
                : digest(
                        "begun",
                        entry.id(),
                        entry.at().toEpochMilli(),
                        entry.operator(),
                        entry.action(),
                        entry.path(),
                        entry.body(),
                        entry.requestId());
    }

    /** The digest of the fields that the end of the request adds. */
    static String digestOfEnded(
            UUID entry, @Nullable Integer status, @Nullable String created, @Nullable UUID merchantId) {
        return digest("ended", entry, status, created, merchantId);
    }

    /** Each value as text, after its length in UTF-16 units and a colon; -1 for null. No value can look like two. */
    private static String digest(@Nullable Object... values) {
        StringBuilder text = new StringBuilder();
        for (Object value : values) {
            String each = value == null ? "" : value.toString();
            text.append(value == null ? -1 : each.length()).append(':').append(each);
        }
        return sha256(text.toString());
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }

    /** A link with the digest of what is stored now. */
    record Proven(@JsonUnwrapped AuditLink link, String digest) {

        static @Nullable Proven begun(AuditEntry entry) {
            return entry.begun() == null ? null : new Proven(entry.begun(), digestOfBegun(entry));
        }

        static @Nullable Proven ended(AuditEntry entry) {
            return entry.ended() == null
                    ? null
                    : new Proven(
                            entry.ended(),
                            digestOfEnded(entry.id(), entry.status(), entry.created(), entry.merchantId()));
        }
    }

    /** The last link of a chain, as the first entry of another one names it. */
    record Head(UUID chain, long number, String hash) {}

    /** The body of a chain's first entry. */
    record Heads(List<Head> heads) {}
}

package dev.ligeiro.desk.audit;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.transaction.UuidV7;
import java.time.Instant;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;

/**
 * A request of an operator that may have changed something, was refused, or read personal data, as it is stored and as the list shows it.
 *
 * @param id in the order of the times
 * @param operator who has sent it; an address for a wrong token
 * @param action method and route, such as {@code DELETE /admin/merchants/{merchantId}/keys/{keyId}}; also {@link #SIGN_IN} and
 *     {@link #WRONG_TOKEN}
 * @param body as JSON; null for none. It may name the receivers that a guard allows, with their tax ids
 * @param created the path of what the request made; null for nothing
 * @param status the HTTP status of the response; null when the outcome is unknown, because the desk stopped or MongoDB did not answer
 * @param requestId the {@code X-Request-Id}
 * @param merchantId the merchant that the request was about; null for none
 * @param begun the link of the entry without {@code created}, {@code status} and {@code merchantId}; null from an older version
 * @param ended the link of these; null until the request has ended
 * @param digest what {@code begun} was made of, if personal data was removed from the body since; else null
 * @param unsent true while {@link AuditPublisher} has a link to send, else null
 */
@Document(CollectionNames.ADMIN_AUDIT)
public record AuditEntry(
        @Id UUID id,
        Instant at,
        String operator,
        String action,
        String path,
        @Nullable String body,
        @Nullable String created,
        @Nullable Integer status,
        String requestId,
        @JsonIgnore @Nullable UUID merchantId,
        @JsonIgnore @Nullable AuditLink begun,
        @JsonIgnore @Nullable AuditLink ended,
        @JsonIgnore @Nullable String digest,
        @JsonIgnore @Nullable Boolean unsent) {

    static final String SIGN_IN = "sign-in";
    static final String WRONG_TOKEN = "wrong token";
    /** The action of a chain's first entry, whose body names the ends of other chains. */
    static final String CHAIN_BEGUN = "audit chain begun";

    private static final int LISTED_BODY_MAX = 4_096;
    private static final Pattern MERCHANT =
            Pattern.compile("/admin/merchants/([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})(?:/.*)?");

    static AuditEntry begun(
            Instant at, String who, String action, String path, @Nullable String body, String requestId) {
        UUID id = UuidV7.at(at.toEpochMilli());
        UUID merchant = merchantId(path);
        return new AuditEntry(id, at, who, action, path, body, null, null, requestId, merchant, null, null, null, null);
    }

    AuditEntry linked(AuditLink link, @Nullable Boolean isUnsent) {
        return with(body, link, isUnsent);
    }

    /** As a list shows it: with the beginning of a long body. */
    AuditEntry listed() {
        return body == null || body.length() <= LISTED_BODY_MAX
                ? this
                : with(body.substring(0, LISTED_BODY_MAX) + "…", begun, unsent);
    }

    private AuditEntry with(@Nullable String text, @Nullable AuditLink link, @Nullable Boolean isUnsent) {
        return new AuditEntry(
                id,
                at,
                operator,
                action,
                path,
                text,
                created,
                status,
                requestId,
                merchantId,
                link,
                ended,
                digest,
                isUnsent);
    }

    /** The merchant that a path names; null for none. */
    static @Nullable UUID merchantId(@Nullable String path) {
        Matcher matcher = MERCHANT.matcher(path == null ? "" : path);
        return matcher.matches() ? UUID.fromString(matcher.group(1)) : null;
    }
}

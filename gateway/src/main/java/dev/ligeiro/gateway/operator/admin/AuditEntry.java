package dev.ligeiro.gateway.operator.admin;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.ligeiro.gateway.http.problem.RequestId;
import dev.ligeiro.transaction.UuidV7;
import java.time.Instant;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;
import org.springframework.web.reactive.function.server.ServerRequest;
import tools.jackson.databind.node.ObjectNode;

/**
 * A request of an operator that may have changed something, was refused, or read personal data, as it is stored and as the list shows it.
 *
 * @param id in the order of the times
 * @param operator the name of the operator's token
 * @param action method and route, such as {@code DELETE /admin/merchants/{id}/keys/{key_id}}
 * @param body as JSON; null for none. It may name the receivers that a guard allows, with their tax ids
 * @param created the path of what the request made; null for nothing
 * @param status the HTTP status of the response; null when the outcome is unknown, because the gateway stopped or MongoDB did not answer
 * @param requestId the {@code X-Request-Id}
 * @param merchantId the merchant that the request was about; null for none
 * @param begun the link of the entry without {@code created}, {@code status} and {@code merchantId}; null from an older version
 * @param ended the link of these; null until the request has ended
 */
@Document(AuditEntry.COLLECTION)
record AuditEntry(
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
        @JsonIgnore @Nullable AuditLink ended) {

    static final String COLLECTION = "admin_audit";

    private static final int LISTED_BODY_MAX = 4_096;
    private static final Pattern MERCHANT =
            Pattern.compile("/admin/merchants/([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})(?:/.*)?");

    static AuditEntry begun(
            Instant at, Operator operator, String route, ServerRequest request, @Nullable ObjectNode body) {
        String json = body == null ? "" : body.toString();
        return new AuditEntry(
                UuidV7.at(at.toEpochMilli()),
                at,
                operator.name(),
                request.method() + " " + route,
                request.path(),
                json.isEmpty() ? null : json,
                null,
                null,
                RequestId.of(request.exchange().getResponse()),
                merchantId(request.path()),
                null,
                null);
    }

    /** An entry that is no change: a refusal, a sign-in. */
    static AuditEntry of(Instant at, String who, String action, String path, @Nullable String body, String requestId) {
        return new AuditEntry(
                UuidV7.at(at.toEpochMilli()),
                at,
                who,
                action,
                path,
                body,
                null,
                null,
                requestId,
                merchantId(path),
                null,
                null);
    }

    /** The first entry of a chain, of no request. */
    static AuditEntry chainBegun(UUID id, Instant at, UUID chain, String heads) {
        return new AuditEntry(
                id, at, "gateway", AuditStore.CHAIN_BEGUN, "", heads, null, null, chain.toString(), null, null, null);
    }

    AuditEntry linked(AuditLink link) {
        return new AuditEntry(
                id, at, operator, action, path, body, created, status, requestId, merchantId, link, ended);
    }

    AuditEntry about(UUID merchant) {
        return new AuditEntry(id, at, operator, action, path, body, created, status, requestId, merchant, begun, ended);
    }

    /** As a list shows it: with the beginning of a long body. */
    AuditEntry listed() {
        return body == null || body.length() <= LISTED_BODY_MAX
                ? this
                : new AuditEntry(
                        id,
                        at,
                        operator,
                        action,
                        path,
                        body.substring(0, LISTED_BODY_MAX) + "…",
                        created,
                        status,
                        requestId,
                        merchantId,
                        begun,
                        ended);
    }

    /** @param location of what the request made; null for nothing */
    AuditEntry ended(int endedWith, @Nullable String location) {
        UUID merchant = merchantId == null && location != null ? merchantId(location) : merchantId;
        return new AuditEntry(
                id, at, operator, action, path, body, location, endedWith, requestId, merchant, begun, ended);
    }

    /** The merchant that a path names. */
    static @Nullable UUID merchantId(String path) {
        Matcher matcher = MERCHANT.matcher(path);
        return matcher.matches() ? UUID.fromString(matcher.group(1)) : null;
    }
}

package dev.ligeiro.gateway.operator.admin;

import dev.ligeiro.gateway.http.problem.RequestId;
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
 * A request of an operator that may have changed something.
 *
 * @param id in the order of the times
 * @param operator the name of the operator's token
 * @param merchantId the merchant that the request was about; null for none
 * @param status the HTTP status of the response; null when the outcome is unknown, because the gateway stopped or MongoDB did not answer
 * @param created the path of what the request made; null for nothing
 */
@Document(AuditEntry.COLLECTION)
record AuditEntry(
        @Id UUID id,
        Instant at,
        String operator,
        Request request,
        @Nullable UUID merchantId,
        @Nullable Integer status,
        @Nullable String created) {

    static final String COLLECTION = "admin_audit";

    private static final Pattern MERCHANT =
            Pattern.compile("/admin/merchants/([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})(?:/.*)?");

    static AuditEntry begun(UUID id, Instant at, Operator operator, Request request) {
        return new AuditEntry(id, at, operator.name(), request, merchantId(request.path), null, null);
    }

    /** @param location of what the request made; null for nothing */
    AuditEntry ended(int endedWith, @Nullable String location) {
        UUID merchant = merchantId == null && location != null ? merchantId(location) : merchantId;
        return new AuditEntry(id, at, operator, request, merchant, endedWith, location);
    }

    private static @Nullable UUID merchantId(String path) {
        Matcher matcher = MERCHANT.matcher(path);
        return matcher.matches() ? UUID.fromString(matcher.group(1)) : null;
    }

    /**
     * @param action method and route, such as {@code DELETE /admin/merchants/{id}/keys/{key_id}}
     * @param body as JSON; null for none and for one of more than 4,096 characters
     * @param id the {@code X-Request-Id}
     */
    record Request(String action, String path, @Nullable String body, String id) {

        private static final int BODY_MAX = 4_096;

        static Request of(ServerRequest request, String route, @Nullable ObjectNode body) {
            String json = body == null ? "" : body.toString();
            return new Request(
                    request.method() + " " + route,
                    request.path(),
                    json.isEmpty() || json.length() > BODY_MAX ? null : json,
                    RequestId.of(request.exchange().getResponse()));
        }
    }
}

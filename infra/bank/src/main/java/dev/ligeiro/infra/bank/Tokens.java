package dev.ligeiro.infra.bank;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * OAuth2 client credentials (RFC 6749 §4.4). The client proves itself with its secret and its certificate, and a token is good only
 * over a connection with the same certificate (RFC 8705 §3). Tokens live in memory: after a start all of them are unknown.
 */
final class Tokens {

    private record Token(String thumbprint, Set<String> scopes, Instant endsAt) {}

    /** BACEN's, then Efí's. */
    private static final Set<String> SCOPES = Set.of(
            "cob.read",
            "cob.write",
            "pix.read",
            "pix.write",
            "webhook.read",
            "webhook.write",
            "payloadlocation.read",
            "payloadlocation.write",
            "pix.send",
            "gn.pix.send.read",
            "gn.infractions.read",
            "gn.infractions.write");

    private static final int TOKENS_MAX = 10_000;

    private final String clientId;
    private final String secret;
    private final Duration life;
    private final SecureRandom random = new SecureRandom();
    private final Map<String, Token> tokens = new ConcurrentHashMap<>();

    Tokens(String clientId, String secret, Duration life) {
        this.clientId = clientId;
        this.secret = secret;
        this.life = life;
    }

    /**
     * {@code POST /oauth/token}, with a form or with JSON, the secret in the header or in the body.
     *
     * @param authorization the header, if there is one
     */
    Reply issue(byte[] body, @Nullable String authorization, X509Certificate certificate) {
        Map<String, String> form = form(new String(body, StandardCharsets.UTF_8));
        String given = form.getOrDefault("client_id", "") + ":" + form.getOrDefault("client_secret", "");
        if (authorization != null && authorization.startsWith("Basic ")) {
            try {
                given = new String(Base64.getDecoder().decode(authorization.substring(6)), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException e) {
                given = "";
            }
        }
        boolean ours = certificate.getSubjectX500Principal().getName().equals("CN=" + clientId);
        if (!given.equals(clientId + ":" + secret) || !ours) {
            throw Refusal.oauth(401, "invalid_client", "wrong client id, secret or certificate")
                    .withHeader("WWW-Authenticate", "Basic");
        }
        if (!"client_credentials".equals(form.get("grant_type"))) {
            throw Refusal.oauth(400, "unsupported_grant_type", "expected client_credentials");
        }
        Set<String> granted = new TreeSet<>(SCOPES);
        String asked = form.getOrDefault("scope", "");
        if (!asked.isBlank()) {
            granted.retainAll(Arrays.asList(asked.split(" ")));
        }
        if (granted.isEmpty()) {
            throw Refusal.oauth(400, "invalid_scope", "none of the scopes may be had");
        }
        return Reply.ok(token(certificate, granted)).withHeader("Cache-Control", "no-store");
    }

    private ObjectNode token(X509Certificate certificate, Set<String> granted) {
        Instant now = Instant.now();
        if (tokens.size() >= TOKENS_MAX) {
            tokens.values().removeIf(token -> now.isAfter(token.endsAt()));
        }
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        String value = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        tokens.put(value, new Token(Certificates.thumbprint(certificate), granted, now.plus(life)));
        return Reply.json(
                "access_token",
                value,
                "token_type",
                "Bearer",
                "expires_in",
                life.toSeconds(),
                "scope",
                String.join(" ", granted));
    }

    /** Refuses with 401 a token that is missing, unknown, over, or another certificate's; with 403 one without {@code scope}. */
    void check(@Nullable String authorization, X509Certificate certificate, String scope) {
        Token token = tokens.get(value(authorization));
        if (token == null
                || Instant.now().isAfter(token.endsAt())
                || !token.thumbprint().equals(Certificates.thumbprint(certificate))) {
            throw expired();
        }
        if (!token.scopes().contains(scope)) {
            throw Refusal.problem(403, "AcessoNegado", "O token não tem o escopo " + scope + ".");
        }
    }

    static Refusal expired() {
        return Refusal.problem(401, "AcessoNegado", "O token é desconhecido, expirou ou é de outro certificado.")
                .withHeader("WWW-Authenticate", "Bearer error=\"invalid_token\"");
    }

    void revoke(@Nullable String authorization) {
        tokens.remove(value(authorization));
    }

    private static String value(@Nullable String authorization) {
        return authorization != null && authorization.startsWith("Bearer ") ? authorization.substring(7) : "";
    }

    private static Map<String, String> form(String body) {
        if (!body.stripLeading().startsWith("{")) {
            return ApiCall.parse(body);
        }
        try {
            JsonNode node = Book.JSON.readTree(body);
            return node.properties().stream().collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue()
                    .asString("")));
        } catch (JacksonException e) {
            throw Refusal.oauth(400, "invalid_request", "the body is neither a form nor JSON");
        }
    }
}

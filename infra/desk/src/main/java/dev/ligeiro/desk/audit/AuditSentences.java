package dev.ligeiro.desk.audit;

import static org.springframework.data.mongodb.core.query.Criteria.where;
import static org.springframework.data.mongodb.core.query.Query.query;

import dev.ligeiro.desk.audit.AuditController.AuditJson;
import dev.ligeiro.desk.page.Language;
import dev.ligeiro.merchant.ApiKey;
import dev.ligeiro.store.CollectionNames;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mongodb.core.MongoTemplate;

/** Tells entries of the audit as sentences, such as "ana revoked key sk_test_3E9z of Loja da Ana". */
public final class AuditSentences {

    private static final String UUID_FORM = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";
    private static final Pattern KEY = Pattern.compile("/keys/(" + UUID_FORM + ")");
    private static final Pattern THING = Pattern.compile(".*/(" + UUID_FORM + "|[0-9]+-[0-9]+)(?:/[a-z-]+)?");
    private static final Pattern STOPS = Pattern.compile(".*\"stopped\":(true|false).*", Pattern.DOTALL);
    private static final String UNKNOWN = "…";

    private final Language language;
    /** The beginnings of the keys that exist: a person knows a key by it. */
    private final Map<UUID, String> keys;

    private AuditSentences(Language language, Map<UUID, String> keys) {
        this.language = language;
        this.keys = keys;
    }

    static AuditSentences of(Collection<AuditJson> entries, MongoTemplate mongo, Language language) {
        Set<UUID> keys = entries.stream()
                .flatMap(each -> Stream.ofNullable(key(each.entry())))
                .collect(Collectors.toSet());
        List<ApiKey> found = keys.isEmpty()
                ? List.of()
                : mongo.find(query(where("_id").in(keys)), ApiKey.class, CollectionNames.API_KEYS);
        return new AuditSentences(language, found.stream().collect(Collectors.toMap(ApiKey::id, ApiKey::prefix)));
    }

    private static @Nullable UUID key(AuditEntry entry) {
        Matcher path = KEY.matcher(entry.created() == null ? entry.path() : entry.created());
        return path.find() ? UUID.fromString(path.group(1)) : null;
    }

    /** The sentence without its subject. */
    public String did(AuditJson each) {
        AuditEntry entry = each.entry();
        Matcher stops = STOPS.matcher(entry.body() == null ? "" : entry.body());
        String variant = stops.matches() ? "." + stops.group(1) : "";
        String merchant = each.merchant().merchantName();
        String text = language.find(name(entry.action()) + variant);
        return text == null
                ? language.text("audit.other", entry.action().split(" ", 2)[0], entry.path())
                : String.format(Locale.ROOT, text, thing(entry), merchant == null ? UNKNOWN : merchant);
    }

    private String thing(AuditEntry entry) {
        UUID key = key(entry);
        if (key != null) {
            return keys.getOrDefault(key, key.toString());
        }
        Matcher path = THING.matcher(entry.created() == null ? entry.path() : entry.created());
        return path.matches() ? path.group(1) : UNKNOWN;
    }

    /** A kind of action, such as "revoked key … of …"; the action itself where there is no sentence. */
    static String kind(String action, Language language) {
        String text = language.find(name(action));
        return text == null ? action : String.format(Locale.ROOT, text, UNKNOWN, UNKNOWN);
    }

    /** {@code audit.did.delete.merchants.x.keys.x} for {@code DELETE /admin/merchants/{merchantId}/keys/{keyId}}, however its ids are named. */
    private static String name(String action) {
        return "audit.did."
                + action.replaceAll("\\{[a-zA-Z_]+}", "x")
                        .replace(" /admin/", ".")
                        .replace('/', '.')
                        .replace(' ', '-')
                        .toLowerCase(Locale.ROOT);
    }
}

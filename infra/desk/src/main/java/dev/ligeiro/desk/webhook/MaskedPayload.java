package dev.ligeiro.desk.webhook;

import dev.ligeiro.desk.transaction.MaskedText;
import dev.ligeiro.desk.transaction.TransactionStore;
import dev.ligeiro.message.EventId;
import dev.ligeiro.message.TransactionEvent;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.support.observe.ViewSettings;
import dev.ligeiro.view.TestEvent;
import dev.ligeiro.view.WebhookPayload;
import dev.ligeiro.webhook.SecretKeys;
import dev.ligeiro.webhook.WebhookEndpoint;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.util.HtmlUtils;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.StringNode;

/** What a delivery sends and what its endpoint answers to that, with the personal data masked. */
@Component
class MaskedPayload {

    private static final JsonMapper JSON = new JsonMapper();

    private final TransactionStore transactions;
    private final WebhookPayload payload;
    private final SecretKeys keys;

    MaskedPayload(
            TransactionStore transactions,
            SecretKeys keys,
            @Value("${ligeiro.time-zone}") ZoneId zone,
            @Value("${ligeiro.public-url}") String publicUrl) {
        this.transactions = transactions;
        this.keys = keys;
        this.payload = new WebhookPayload(new ViewSettings(zone, publicUrl).view());
    }

    /**
     * @param payload null if it cannot be built, as of a transaction that is not stored
     * @param response what may be seen of a response: it may repeat the request, the merchant's own headers and the URL
     */
    record Masked(@Nullable JsonNode payload, UnaryOperator<String> response) {}

    Masked of(WebhookEndpoint endpoint, StoredDelivery delivery) {
        JsonNode body = body(delivery);
        List<String> hidden = new ArrayList<>();
        if (body != null) {
            mask(body, hidden);
        }
        boolean isKnown = body != null && addRequest(endpoint, hidden);
        return new Masked(body, isKnown ? new HiddenTexts(hidden)::mask : response -> MaskedText.HIDDEN);
    }

    /** False if no key decrypts a header. */
    private boolean addRequest(WebhookEndpoint endpoint, List<String> hidden) {
        URI url = URI.create(endpoint.url());
        Stream.of(url.getRawPath(), url.getPath(), url.getRawQuery(), url.getQuery())
                .filter(Objects::nonNull)
                .forEach(each -> HiddenTexts.addWithParts(each, hidden));
        try {
            endpoint.headers()
                    .forEach((name, value) ->
                            HiddenTexts.addWithParts(keys.decryptHeader(endpoint.id(), name, value), hidden));
            return true;
        } catch (IllegalArgumentException unreadable) {
            return false;
        }
    }

    private @Nullable JsonNode body(StoredDelivery delivery) {
        if (delivery.eventType().equals(TestEvent.TYPE)) {
            return JSON.readTree(TestEvent.payload(delivery.id().endpointId(), delivery.eventAt()));
        }
        EventId event = delivery.id().eventId();
        return TransactionEvent.find(transactions.find(event.transactionId()).orElse(null), event.sequence())
                .map(found -> JSON.readTree(payload.of(found)))
                .orElse(null);
    }

    private static void mask(JsonNode body, List<String> hidden) {
        for (Map.Entry<String, JsonNode> member : body.properties()) {
            if (member.getKey().equals("fiscal")) {
                member.getValue().properties().forEach(pair -> mask(pair, text -> MaskedText.HIDDEN, hidden));
            } else if (member.getValue().isString()) {
                mask(member, text -> masked(member.getKey(), text), hidden);
            } else {
                mask(member.getValue(), hidden);
            }
        }
        if (body.isArray()) {
            body.forEach(each -> mask(each, hidden));
        }
    }

    private static void mask(Map.Entry<String, JsonNode> member, UnaryOperator<String> masking, List<String> hidden) {
        String text = member.getValue().stringValue();
        String masked = text.isEmpty() ? text : masking.apply(text);
        if (!masked.equals(text)) {
            member.setValue(StringNode.valueOf(masked));
            hidden.add(text);
        }
    }

    private static String masked(String name, String text) {
        return switch (name) {
            case "name" -> MaskedText.name(text);
            case "document" -> MaskedText.document(text);
            case "email" -> MaskedText.email(text);
            case "phone" -> MaskedText.phone(text);
            case "pix_key", "description", "extra" -> MaskedText.HIDDEN;
            default -> text;
        };
    }

    /**
     * Texts that nobody may see in the text of somebody else, as they are or as JSON, HTML and URLs have them, and numbers with other
     * separators. Those of one or two characters are not looked for.
     */
    private static final class HiddenTexts {

        private static final JsonMapper ASCII =
                JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
        private static final Pattern NUMBER = Pattern.compile("\\+?(\\d+)");
        private static final Pattern OTHER_THAN_ASCII = Pattern.compile("[^\\x00-\\x7f]");
        private static final int LENGTH_MIN = 3;

        /** A shorter part of a path or header is a word such as {@code api}, unless it has a digit. */
        private static final int PART_MIN = 8;

        /** Of a text that the end has cut. */
        private static final int BEGINNING_MIN = 4;

        private final List<String> forms;
        private final Pattern any;

        HiddenTexts(Collection<String> texts) {
            this.forms = texts.stream()
                    .filter(each -> each.length() >= LENGTH_MIN)
                    .flatMap(HiddenTexts::forms)
                    .distinct()
                    .sorted(Comparator.comparing(String::length).reversed())
                    .toList();
            this.any = Pattern.compile(
                    forms.stream().map(HiddenTexts::pattern).collect(Collectors.joining("|")),
                    Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
        }

        /** Adds a path, a query or the value of a header, and its parts, of which a token may be one. */
        static void addWithParts(String text, Collection<String> hidden) {
            hidden.add(text.length() > 1 && text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
            Stream.of(text.split("[/?&=\\s]+"))
                    .filter(part -> part.length() >= PART_MIN || part.chars().anyMatch(Character::isDigit))
                    .forEach(hidden::add);
        }

        private static Stream<String> forms(String text) {
            String ascii = quoted(ASCII, text);
            String replaced = OTHER_THAN_ASCII.matcher(text).replaceAll("\uFFFD");
            return Stream.of(text, replaced, quoted(JSON, text), ascii, ascii.replace("/", "\\/"))
                    .flatMap(each -> Stream.of(
                            each,
                            quoted(JSON, each),
                            HtmlUtils.htmlEscape(each),
                            HtmlUtils.htmlEscape(each, "UTF-8"),
                            URLEncoder.encode(each, StandardCharsets.UTF_8)));
        }

        private static String quoted(JsonMapper json, String text) {
            String value = json.writeValueAsString(text);
            return value.substring(1, value.length() - 1);
        }

        private static String pattern(String form) {
            var number = NUMBER.matcher(form);
            return number.matches()
                    ? String.join("[-./() ]{0,2}", number.group(1).split(""))
                    : Pattern.quote(form);
        }

        String mask(String text) {
            return forms.isEmpty() ? text : withoutCut(any.matcher(text).replaceAll(MaskedText.HIDDEN));
        }

        private String withoutCut(String text) {
            for (String form : forms) {
                for (int length = Math.min(form.length(), text.length()); length >= BEGINNING_MIN; length--) {
                    int at = text.length() - length;
                    if (text.regionMatches(true, at, form, 0, length)) {
                        return text.substring(0, at) + MaskedText.HIDDEN;
                    }
                }
            }
            return text;
        }
    }
}

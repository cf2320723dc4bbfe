package dev.ligeiro.infra.bank;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A request to a route.
 *
 * @param ids the variable parts of the path
 */
record ApiCall(List<String> ids, Map<String, String> query, byte[] body) {

    private static final int PAGE_SIZE = 100;
    private static final int PAGE_SIZE_MAX = 1000;

    String id(int index) {
        return ids.get(index);
    }

    BodyFields fields(BiFunction<String, String, Refusal> refusal) {
        try {
            JsonNode node = Book.JSON.readTree(body);
            if (node.isObject()) {
                return new BodyFields(node, "", refusal);
            }
        } catch (JacksonException e) {
            // refused below
        }
        throw refusal.apply("", "expected a JSON object");
    }

    static Map<String, String> parse(@Nullable String form) {
        Map<String, String> values = new HashMap<>();
        if (form != null && !form.isEmpty()) {
            for (String pair : form.split("&")) {
                String[] parts = pair.split("=", 2);
                values.put(decode(parts[0]), parts.length == 2 ? decode(parts[1]) : "");
            }
        }
        return values;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /** A span of time and a page of it, as all lists have them. */
    record Span(Instant from, Instant to, int page, int size) {

        boolean contains(Instant at) {
            return !at.isBefore(from) && !at.isAfter(to);
        }

        /** The page of {@code all} under {@code name}, after the parameters of the call. */
        <T> Reply reply(String name, List<T> all, Function<T, ObjectNode> json) {
            ObjectNode pages = Reply.json(
                    "paginaAtual",
                    page,
                    "itensPorPagina",
                    size,
                    "quantidadeDePaginas",
                    Math.max(1, (all.size() + size - 1) / size),
                    "quantidadeTotalDeItens",
                    all.size());
            List<ObjectNode> found =
                    all.stream().skip((long) page * size).limit(size).map(json).toList();
            return Reply.ok(
                    Reply.json("parametros", Reply.json("inicio", from, "fim", to, "paginacao", pages), name, found));
        }
    }

    Span span(BiFunction<String, String, Refusal> refusal) {
        Instant from = time("inicio", refusal);
        Instant to = time("fim", refusal);
        if (to.isBefore(from)) {
            throw refusal.apply("fim", "expected a time that is not before inicio");
        }
        if (query.containsKey("cpf") && query.containsKey("cnpj")) {
            throw refusal.apply("cpf", "expected only one of cpf and cnpj");
        }
        int page = number("paginacao.paginaAtual", 0, Integer.MAX_VALUE, 0, refusal);
        int size = number("paginacao.itensPorPagina", 1, PAGE_SIZE_MAX, PAGE_SIZE, refusal);
        return new Span(from, to, page, size);
    }

    boolean has(String name) {
        return query.containsKey(name);
    }

    /** Whether the optional parameter {@code name} is missing or says {@code actual}. */
    boolean fits(String name, boolean actual) {
        return !query.containsKey(name) || query.get(name).equals(String.valueOf(actual));
    }

    boolean fits(String name, @Nullable String actual) {
        return !query.containsKey(name) || query.get(name).equals(actual);
    }

    private Instant time(String name, BiFunction<String, String, Refusal> refusal) {
        try {
            return OffsetDateTime.parse(query.getOrDefault(name, "")).toInstant();
        } catch (DateTimeParseException e) {
            throw refusal.apply(name, "expected a time with zone (RFC 3339)");
        }
    }

    int number(String name, int min, int max, int otherwise, BiFunction<String, String, Refusal> refusal) {
        String text = query.get(name);
        if (text == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // refused below
        }
        throw refusal.apply(name, "expected an integer from " + min + " to " + max);
    }
}

package dev.ligeiro.infra.loadtest.list;

import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The words of a name in the form in which a list compares them: without accents, in lower case.
 *
 * <p>The load test's names have only letters and spaces. The forms are kept, because they are some thousand.
 */
final class NameWords {

    private static final Map<String, String> FORMS = new ConcurrentHashMap<>();

    private NameWords() {}

    static List<String> of(String name) {
        return Stream.of(name.split(" "))
                .map(word -> FORMS.computeIfAbsent(word, NameWords::form))
                .toList();
    }

    private static String form(String word) {
        return Normalizer.normalize(word, Normalizer.Form.NFD)
                .replaceAll("\\p{M}", "")
                .toLowerCase(Locale.ROOT);
    }
}

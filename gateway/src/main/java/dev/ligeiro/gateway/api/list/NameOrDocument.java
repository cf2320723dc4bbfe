package dev.ligeiro.gateway.api.list;

import dev.ligeiro.pix.TaxId;
import dev.ligeiro.store.SearchTokens;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The filter {@code name_document}: a complete document, otherwise whole words of a name. */
record NameOrDocument(@Nullable String document, List<String> nameWords) {

    static NameOrDocument parse(String text) {
        try {
            return new NameOrDocument(TaxId.parse(text).value(), List.of());
        } catch (IllegalArgumentException notADocument) {
            return new NameOrDocument(null, words(text));
        }
    }

    private static List<String> words(String text) {
        List<String> words = SearchTokens.words(text).stream().distinct().toList();
        if (words.isEmpty()) {
            throw new IllegalArgumentException("expected a CPF, a CNPJ or words of a name");
        }
        return words;
    }
}

package dev.ligeiro.desk.http;

import dev.ligeiro.transaction.Coded;
import java.util.Arrays;
import org.springframework.core.convert.converter.Converter;
import org.springframework.core.convert.converter.ConverterFactory;

/** Reads query parameters that are the code of an enum's constant; an empty one is none. */
final class CodedParameter implements ConverterFactory<String, Coded> {

    /** Spring takes null for none, which the type does not say. */
    @Override
    @SuppressWarnings("NullAway")
    public <T extends Coded> Converter<String, T> getConverter(Class<T> type) {
        return text -> text.isEmpty()
                ? null
                : Arrays.stream(type.getEnumConstants())
                        .filter(constant -> constant.code().equals(text))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("expected one of "
                                + Arrays.stream(type.getEnumConstants())
                                        .map(Coded::code)
                                        .toList()));
    }
}

package dev.ligeiro.desk.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.view.Language;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TextsTest {

    private static final Path SOURCES = Path.of("src", "main");
    private static final Path TEXTS = SOURCES.resolve(Path.of("resources", "texts"));
    private static final Pattern NAME =
            Pattern.compile("(?:frame|language|frame\\(\\))\\.text\\(\"([a-z0-9_.-]+)\"[,)]");

    private static final Pattern MESSAGE = Pattern.compile("\"(expected [^\"]+[^\" ])\"(?!\\s*\\+)");

    static Stream<Path> rooms() throws IOException {
        try (Stream<Path> rooms = Files.list(TEXTS)) {
            return rooms.toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("rooms")
    void bothLanguagesHaveTheSameTexts(Path room) throws IOException {
        Properties english = texts(room.resolve("en.properties"));
        Properties portuguese = texts(room.resolve("pt.properties"));

        assertThat(portuguese.keySet()).isEqualTo(english.keySet());
        english.forEach((name, text) -> assertThat(placeholders(String.valueOf(portuguese.get(name))))
                .as(name.toString())
                .isEqualTo(placeholders(text)));
    }

    private static Properties texts(Path file) throws IOException {
        Properties texts = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            texts.load(reader);
        }
        return texts;
    }

    private static List<String> placeholders(Object text) {
        return Pattern.compile("%\\d?\\$?[sd]|\\{[a-z_]+}")
                .matcher(text.toString())
                .results()
                .map(found -> found.group())
                .sorted()
                .toList();
    }

    @Test
    void eachTextThatAPageNamesExists() throws IOException {
        List<String> missing = new ArrayList<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file : files.filter(file -> file.toString().matches(".*\\.(jte|java)"))
                    .toList()) {
                Matcher names = NAME.matcher(Files.readString(file));
                while (names.find()) {
                    if (Language.ENGLISH.find(names.group(1)) == null) {
                        missing.add(SOURCES.relativize(file) + ": " + names.group(1));
                    }
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    /** A form shows the API's messages in the reader's language. Messages with a value of the request in them stay as they are. */
    @Test
    void eachMessageAboutAFieldIsTranslated() throws IOException {
        List<String> missing = new ArrayList<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".java")).toList()) {
                String source = Files.readString(file).replaceAll("\"\\s*\\+\\s*\"", "");
                Matcher messages = MESSAGE.matcher(source);
                while (messages.find()) {
                    String name = Frame.nameOf(messages.group(1));
                    if (Language.PORTUGUESE.find(name) == null) {
                        missing.add(SOURCES.relativize(file) + ": " + name);
                    }
                }
            }
        }
        assertThat(missing).isEmpty();
    }
}

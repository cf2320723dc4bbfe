package dev.ligeiro.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.message.MessageJson;
import dev.ligeiro.message.RailOutcome;
import dev.ligeiro.message.TransactionCommand;
import dev.ligeiro.transaction.ChangeAction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Every version reads what the releases before it have written: the folders of {@code src/test/resources/released}. The folder of
 * {@link #CURRENT} has what this version writes. After a release its folder never changes: copy it to the next version and change the
 * constant.
 */
class ReleasedFormsTest {

    /** The version of the next release. */
    private static final String CURRENT = "0.1.0";

    private static final Path FOLDER = Path.of("src", "test", "resources", "released");

    @ParameterizedTest
    @EnumSource
    void thisVersionWritesTheFormsOfItsFolder(Form form) throws IOException {
        assertThat(form.samples()).isEqualTo(lines(CURRENT, form));
    }

    @Test
    void theSamplesHaveEveryCommandActionAndOutcome() {
        assertThat(Samples.commands().stream().<Class<?>>map(TransactionCommand::getClass))
                .contains(TransactionCommand.class.getPermittedSubclasses());
        assertThat(Samples.actions().<Class<?>>map(ChangeAction::getClass))
                .contains(ChangeAction.class.getPermittedSubclasses());
        assertThat(Samples.outcomes().<Class<?>>map(RailOutcome::getClass))
                .contains(RailOutcome.class.getPermittedSubclasses());
    }

    /** The codes are metric tags too. */
    @Test
    void theCodesAreTheTypesOfTheJson() {
        assertThat(Samples.commands()).allSatisfy(command -> assertThat(MessageJson.write(command))
                .asString(StandardCharsets.UTF_8)
                .startsWith("{\"type\":\"transaction." + command.code() + "\""));
        assertThat(Samples.commands())
                .filteredOn(TransactionCommand.RailAnswer.class::isInstance)
                .allSatisfy(answer -> assertThat(MessageJson.write(answer))
                        .asString(StandardCharsets.UTF_8)
                        .contains("\"outcome\":{\"type\":\""
                                + ((TransactionCommand.RailAnswer) answer)
                                        .outcome()
                                        .code() + "\""));
    }

    static Stream<Arguments> released() throws IOException {
        try (Stream<Path> versions = Files.list(FOLDER)) {
            List<String> names =
                    versions.map(each -> each.getFileName().toString()).sorted().toList();
            return names.stream().flatMap(version -> Stream.of(Form.values()).map(form -> Arguments.of(version, form)));
        }
    }

    /** New fields may be added, and none may be lost or changed: a service writes back what it has read. */
    @ParameterizedTest(name = "{1} of {0}")
    @MethodSource("released")
    void aReleasedFormIsReadWithoutALoss(String version, Form form) throws IOException {
        assertThat(lines(version, form)).isNotEmpty().allSatisfy(line -> assertThat(
                        missing(JsonMapper.shared().readTree(line), form.rewritten(line), ""))
                .isEmpty());
    }

    @ParameterizedTest(name = "{1} of {0}")
    @MethodSource("released")
    void fieldsOfANewerVersionAreIgnored(String version, Form form) throws IOException {
        assertThat(lines(version, form)).allSatisfy(line -> assertThat(form.rewritten(form.withUnknownFields(line)))
                .isEqualTo(form.rewritten(line)));
    }

    /** The places at which {@code after} lacks a field or has another value. */
    private static List<String> missing(JsonNode before, JsonNode after, String place) {
        if (before.isObject()) {
            return before.propertyStream()
                    .flatMap(field ->
                            missing(field.getValue(), after.path(field.getKey()), place + "." + field.getKey())
                                    .stream())
                    .toList();
        }
        if (before.isArray() && before.size() == after.size()) {
            return Stream.iterate(0, i -> i < before.size(), i -> i + 1)
                    .flatMap(i -> missing(before.path(i), after.path(i), place + "[" + i + "]").stream())
                    .toList();
        }
        return before.equals(after) ? List.of() : List.of("%s: %s, then %s".formatted(place, before, after));
    }

    private static List<String> lines(String version, Form form) throws IOException {
        return Files.readAllLines(FOLDER.resolve(version).resolve(form.name().toLowerCase(Locale.ROOT) + ".jsonl"));
    }
}

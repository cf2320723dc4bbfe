package dev.ligeiro.gateway.http.html;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What surrounds each page of a console.
 *
 * @param room of the page's texts, such as {@code console.merchant} ({@link Language#text})
 * @param title of the page
 * @param home the path of the console's first page
 * @param path of this page with its query, to which a change of the language returns
 * @param menu empty before the sign-in
 * @param who is signed in; null before the sign-in
 * @param badge a word that the header shows beside the name, such as the mode; null for none
 * @param notice what the last form has done; null for nothing
 */
public record ConsoleFrame(
        Language language,
        String room,
        String title,
        String home,
        String path,
        List<Item> menu,
        @Nullable String who,
        @Nullable String badge,
        @Nullable String notice) {

    /**
     * A page of the menu.
     *
     * @param isCurrent whether it is this page or the page above it
     */
    public record Item(String path, String text, boolean isCurrent) {}

    public String text(String key) {
        return language.text(room, key);
    }

    /** A text of the frame itself, which both consoles have. */
    public String shared(String key) {
        return language.text("console", key);
    }

    /** Changes the language and returns to this page with its whole query. */
    public String languageLink() {
        return home + "/language?to=" + otherLanguage().tag() + "&back="
                + URLEncoder.encode(path, StandardCharsets.UTF_8);
    }

    public Language otherLanguage() {
        return language == Language.PORTUGUESE ? Language.ENGLISH : Language.PORTUGUESE;
    }
}

package dev.ligeiro.desk.page;

import dev.ligeiro.desk.http.ConsolePath;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.LocaleResolver;

/** The language of Bean Validation's messages: English in the API, the reader's in forms. */
@Component("localeResolver")
class RequestLocale implements LocaleResolver {

    @Override
    public Locale resolveLocale(HttpServletRequest request) {
        return request.getRequestURI().startsWith(ConsolePath.HOME)
                ? Locale.forLanguageTag(OperatorFrame.language(request).tag())
                : Locale.ENGLISH;
    }

    @Override
    public void setLocale(HttpServletRequest request, @Nullable HttpServletResponse response, @Nullable Locale locale) {
        throw new UnsupportedOperationException("the session has the language");
    }
}

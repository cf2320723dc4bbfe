package dev.ligeiro.desk.page;

import dev.ligeiro.desk.http.ConsolePath;
import dev.ligeiro.desk.http.Problems;
import dev.ligeiro.desk.http.RequestId;
import dev.ligeiro.support.problem.Problem;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatusCode;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.view.RedirectView;

/** The answer to each failure: under {@code /admin} a problem document, else a page in the reader's language, with the request's id. */
@Controller
@ControllerAdvice(annotations = Controller.class)
class FailurePages implements ErrorController {

    private final OperatorFrame frames;

    FailurePages(OperatorFrame frames) {
        this.frames = frames;
    }

    @GetMapping("/")
    RedirectView home() {
        return new RedirectView(ConsolePath.HOME);
    }

    /** A handler has failed. */
    @ExceptionHandler
    Object handle(Exception failure, HttpServletRequest request) {
        return answer(Problems.logged(failure, request), request.getRequestURI(), request);
    }

    /** There was no handler, or a filter has refused. */
    @RequestMapping("/error")
    Object error(HttpServletRequest request) {
        Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        Problem problem = Problems.ofStatus(HttpStatusCode.valueOf(status instanceof Integer code ? code : 404));
        String path = String.valueOf(request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI));
        return answer(problem, path, request);
    }

    private Object answer(Problem problem, String path, HttpServletRequest request) {
        if (path.startsWith("/admin/")) {
            return Problems.response(problem, request);
        }
        ModelAndView page = new ModelAndView("page/failure")
                .addObject("frame", frames.frame(request))
                .addObject("problem", problem)
                .addObject("requestId", RequestId.of(request));
        page.setStatus(problem.code().status());
        return page;
    }
}

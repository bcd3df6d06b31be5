;;; clmali.el --- OpenCL C with clmali-clangd -*- lexical-binding: t -*-

;; Version: 0.1
;; Package-Requires: ((emacs "27.1"))
;; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

;;; Commentary:

;; Findings, quick-fixes and verified rewrites for OpenCL kernels and their host code, through eglot
;; (in Emacs since 29; the package elpa-eglot before) or lsp-mode.  In the init file:
;;
;;   (load "/path/to/clmali.el")
;;   (add-hook 'clmali-opencl-mode-hook #'eglot-ensure)   ; or #'lsp
;;
;; A GPU family: a file .clang-tidy with  CheckOptions: {Device: mali-valhall}  , or
;; (setq clmali-arguments '("--clmali-device=mali-valhall")).

;;; Code:

(require 'cc-mode)

(defgroup clmali nil
  "OpenCL C for Mali and PowerVR."
  :group 'languages)

(defcustom clmali-program "clmali-clangd"
  "The language server."
  :type 'string)

(defcustom clmali-arguments nil
  "Arguments of the language server."
  :type '(repeat string))

;;;###autoload
(define-derived-mode clmali-opencl-mode c-mode "OpenCL"
  "C mode for OpenCL C kernels.")

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.\\(cl\\|ocl\\|clh\\)\\'" . clmali-opencl-mode))

(defun clmali-command (&rest _)
  "The command line of the language server."
  (cons clmali-program clmali-arguments))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '((clmali-opencl-mode c-mode c++-mode) . clmali-command)))

(defvar lsp-language-id-configuration)
(defvar lsp-clients-clangd-executable)
(defvar lsp-clients-clangd-args)
(with-eval-after-load 'lsp-mode
  ;; lsp-mode starts clangd for language "c"; clmali-clangd recognises OpenCL by the file name.
  (add-to-list 'lsp-language-id-configuration '(clmali-opencl-mode . "c"))
  (setq lsp-clients-clangd-executable clmali-program
        lsp-clients-clangd-args clmali-arguments))

(provide 'clmali)
;;; clmali.el ends here

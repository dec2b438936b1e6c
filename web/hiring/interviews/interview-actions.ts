import { ApiError } from '../../ui/api.ts'
import { toast } from '../../ui/toast.tsx'
import { send } from '../api.ts'
import { toastWithUndo } from '../candidate/undo.ts'
import { t } from '../texts/index.ts'
import { interviewsChanged } from './changed.ts'
import type { Interview } from './plan.ts'

const ONE = '/applications/{application}/interviews/{interview}'

export interface InterviewActions {
  cancel: (interview: Interview) => void
  /** `false` takes it back */
  markNoShow: (interview: Interview, didNotCome: boolean) => void
  /** what the candidate said was read */
  settle: (interview: Interview) => void
}

/** What is done with an interview by one click; a refusal is said, and what is shown is read again. */
export function createInterviewActions(application: string, reloadCandidate: () => void): InterviewActions {
  const reload = () => {
    interviewsChanged(application)
    reloadCandidate()
  }
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      toast(error.message, 'bad', undefined, application)
    }
    reload()
  }
  const cancel = async ({ id, updated_at: expected_updated_at }: Interview) => {
    const at = { application, interview: id }
    const canceled = await send(`${ONE}/cancel`, at, { expected_updated_at })
    const undo = async () => {
      await send(`${ONE}/restore`, at, { expected_updated_at: canceled.updated_at })
      reload()
      return t.interviews.restored
    }
    toastWithUndo(t.interviews.canceledToast, undo, { about: application })
  }
  const markNoShow = async ({ id, updated_at: expected_updated_at }: Interview, did_not_come: boolean) => {
    const at = { application, interview: id }
    const marked = await send(`${ONE}/no-show`, at, { did_not_come, expected_updated_at })
    const undo = async () => {
      const back = { did_not_come: !did_not_come, expected_updated_at: marked.updated_at }
      await send(`${ONE}/no-show`, at, back)
      reload()
      return t.interviews.unchanged
    }
    toastWithUndo(did_not_come ? t.interviews.didNotComeToast : t.interviews.cameToast, undo, { about: application })
  }
  const settle = async ({ id, updated_at: expected_updated_at }: Interview) => {
    await send(`${ONE}/answer-done`, { application, interview: id }, { expected_updated_at })
    toast(t.interviews.settled)
  }
  return {
    cancel: interview => void attempt(() => cancel(interview)),
    markNoShow: (interview, didNotCome) => void attempt(() => markNoShow(interview, didNotCome)),
    settle: interview => void attempt(() => settle(interview)),
  }
}
